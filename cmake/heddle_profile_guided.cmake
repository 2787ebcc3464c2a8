# SPDX-License-Identifier: MIT
# Profile-guided optimisation of what is optimised across files (heddle_across_files.cmake): a second build, in training/ of the build
# folder, counts how often each line of it runs while some programs do (train.sh). What it has counted is in profile/, under the names
# of the objects, and the build itself is compiled for that.

option(HEDDLE_PROFILE_GUIDED "Optimise what users run for what some programs do when they run (gcc; needs the apps)" OFF)
set(HEDDLE_TRAINING "" CACHE PATH "Of that second build: where what it counts is written")
mark_as_advanced(HEDDLE_TRAINING)

if(HEDDLE_PROFILE_GUIDED AND NOT CMAKE_C_COMPILER_ID STREQUAL GNU)
  message(FATAL_ERROR "HEDDLE_PROFILE_GUIDED needs gcc; ${CMAKE_C_COMPILER} is ${CMAKE_C_COMPILER_ID}")
endif()
if(HEDDLE_PROFILE_GUIDED AND NOT HEDDLE_ACROSS_FILES)
  message(FATAL_ERROR "HEDDLE_PROFILE_GUIDED needs optimisation across files: a release build, or HEDDLE_LTO=ON")
endif()
if(HEDDLE_PROFILE_GUIDED AND NOT HEDDLE_APPS)
  message(FATAL_ERROR "HEDDLE_PROFILE_GUIDED needs programs to run: HEDDLE_APPS=ON")
endif()

set(profile ${PROJECT_BINARY_DIR}/profile)
set(HEDDLE_TRAINED ${profile}/trained.h) # changes when there are new counts, and all that is compiled for them includes it

# heddle_count_plainly(SOURCE...): those of them with functions in several versions (ISA_VECTORIZED), for one of which the library decides
# while it is loaded: counts of values, which have to be loaded too, are not there yet.
function(heddle_count_plainly)
  foreach(source ${ARGN})
    file(STRINGS ${source} versions REGEX ISA_VECTORIZED)
    if(versions)
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_OPTIONS -fno-profile-values)
    endif()
  endforeach()
endfunction()

# heddle_profile(OBJECTS): they count, or are compiled for what was counted. ccache would not know of the counts.
function(heddle_profile objects)
  if(HEDDLE_TRAINING)
    get_target_property(sources ${objects} SOURCES)
    heddle_count_plainly(${sources})
    target_compile_options(${objects} PRIVATE -fprofile-generate=${HEDDLE_TRAINING} -fprofile-prefix-path=${PROJECT_BINARY_DIR})
  elseif(HEDDLE_PROFILE_GUIDED)
    target_compile_options(${objects} PRIVATE -fprofile-use=${profile} -fprofile-prefix-path=${PROJECT_BINARY_DIR}
      -fprofile-partial-training -Wmissing-profile -include ${HEDDLE_TRAINED})
    add_dependencies(${objects} heddle_trained)
  else()
    return()
  endif()
  set_target_properties(${objects} PROPERTIES C_COMPILER_LAUNCHER "")
endfunction()

# heddle_train(): the target heddle_trained, once all sources are known.
function(heddle_train)
  if(NOT HEDDLE_PROFILE_GUIDED)
    return()
  endif()
  get_property(sources GLOBAL PROPERTY HEDDLE_SOURCES_ACROSS_FILES)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*.h ${PROJECT_SOURCE_DIR}/platform/engine/*.h)
  set(train ${PROJECT_SOURCE_DIR}/cmake/train.sh)
  add_custom_command(OUTPUT ${HEDDLE_TRAINED}
    COMMAND ${train} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/training ${profile}
      -D CMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -D CMAKE_C_COMPILER=${CMAKE_C_COMPILER} -D CMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
      -D CMAKE_C_FLAGS=${CMAKE_C_FLAGS} -D CMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS} -D HEDDLE_TESTS=OFF -D HEDDLE_LTO=ON
    DEPENDS ${sources} ${headers} ${train} USES_TERMINAL VERBATIM
    COMMENT "Training: another build counts what it does")
  add_custom_target(heddle_trained DEPENDS ${HEDDLE_TRAINED})
endfunction()

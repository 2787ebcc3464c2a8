# SPDX-License-Identifier: MIT
# Optimisation across files (link-time optimisation), for what simulated time passes through: the models and the engine. Their
# sources are compiled a second time for it, as objects that only the programs which users run are linked with. The archives
# stay as they are, so that hundreds of tests are linked in seconds, and what is installed of them fits any compiler.

set(HEDDLE_LTO AUTO CACHE STRING "Optimise what users run across files: ON, OFF, or AUTO = in a release build, if the compiler can")
set_property(CACHE HEDDLE_LTO PROPERTY STRINGS AUTO ON OFF)

# heddle_can_optimise_across_files(RESULT): asks the compiler; an error if it cannot although HEDDLE_LTO is ON.
function(heddle_can_optimise_across_files result)
  set(${result} OFF PARENT_SCOPE)
  if(HEDDLE_LTO STREQUAL AUTO AND (NOT CMAKE_BUILD_TYPE STREQUAL Release OR HEDDLE_SANITIZE))
    return()
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT can OUTPUT why LANGUAGES C CXX)
  else() # clang 14 loses versions of a function when it is linked with others (ISA_VECTORIZED)
    set(can OFF)
    set(why "only gcc is known to keep functions in several versions then")
  endif()
  if(can)
    set(${result} ON PARENT_SCOPE)
    return()
  endif()
  string(STRIP "${why}" why)
  if(HEDDLE_LTO STREQUAL AUTO)
    message(STATUS "left out: optimisation across files, which this compiler cannot; -D HEDDLE_LTO=ON says why")
  else()
    message(FATAL_ERROR "HEDDLE_LTO=ON, but ${CMAKE_C_COMPILER} cannot optimise across files:\n${why}")
  endif()
endfunction()

if(NOT HEDDLE_LTO MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "HEDDLE_LTO must be AUTO, ON or OFF, and is ${HEDDLE_LTO}")
endif()
set(HEDDLE_ACROSS_FILES OFF)
if(HEDDLE_LTO)
  heddle_can_optimise_across_files(HEDDLE_ACROSS_FILES)
endif()

# heddle_across_files(LIBRARY): the sources of that static library, once more, as they are compiled for it.
function(heddle_across_files library)
  if(NOT HEDDLE_ACROSS_FILES)
    return()
  endif()
  get_target_property(sources ${library} SOURCES)
  add_library(${library}_across_files OBJECT ${sources})
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS)
    set_property(TARGET ${library}_across_files PROPERTY ${property} "$<TARGET_PROPERTY:${library},${property}>")
  endforeach()
  heddle_profile(${library}_across_files)
  set_target_properties(${library}_across_files PROPERTIES
    INTERPROCEDURAL_OPTIMIZATION ON POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_OBJECTS_ACROSS_FILES "$<TARGET_OBJECTS:${library}_across_files>")
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  set_property(GLOBAL APPEND PROPERTY HEDDLE_SOURCES_ACROSS_FILES ${sources})
endfunction()

# heddle_link_across_files(TARGET): links it with all those objects. They come before the archives that it is linked with, so nothing
# is left to be taken from those.
function(heddle_link_across_files target)
  if(NOT HEDDLE_ACROSS_FILES)
    return()
  endif()
  get_property(objects GLOBAL PROPERTY HEDDLE_OBJECTS_ACROSS_FILES)
  target_link_options(${target} PRIVATE $<$<BOOL:${HEDDLE_TRAINING}>:-fprofile-generate>)
  target_sources(${target} PRIVATE ${objects})
  set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
endfunction()

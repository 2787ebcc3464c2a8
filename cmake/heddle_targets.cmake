# SPDX-License-Identifier: MIT
# One function per kind of target, so that include rules, warnings and language standards are stated once.

add_library(heddle_flags INTERFACE)
target_compile_features(heddle_flags INTERFACE c_std_17)
target_compile_options(heddle_flags INTERFACE
  -Wall -Wextra -Werror -fvisibility=hidden
  -ffp-contract=off # a host that multiplies and adds at once gets the results of one that does not
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes -Wvla>
  $<$<COMPILE_LANGUAGE:CXX>:-std=c++17>)
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_flags INTERFACE
    -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>) # loops of lanes are not vectorised then
  target_link_options(heddle_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()

# heddle_block(NAME source...): one hardware block, models/NAME. It sees models/abi and models/isa and nothing else.
function(heddle_block name)
  add_library(heddle_${name} STATIC ${ARGN})
  target_include_directories(heddle_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(heddle_${name} PUBLIC heddle_abi PRIVATE heddle_isa heddle_flags)
  set_target_properties(heddle_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  heddle_across_files(heddle_${name})
endfunction()

# heddle_part(NAME source...): one room of the platform, platform/NAME.
function(heddle_part name)
  add_library(heddle_${name} STATIC ${ARGN})
  target_include_directories(heddle_${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(heddle_${name} PUBLIC heddle_abi PRIVATE heddle_flags)
  set_target_properties(heddle_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# one_timeout(NAME source...): all time limits of tests in one program are the same. Criterion runs tests side by side, and a
# limit that ends before another that is already running puts that one out of force and leaks 48 bytes (BoxFort of Criterion
# 2.4.1: bxfi_push_timeout links the new request in front of the others without linking them to it).
function(one_timeout name)
  list(REMOVE_AT ARGV 0)
  set(limits)
  foreach(source ${ARGV})
    file(STRINGS ${source} lines REGEX "^Test.*\\.timeout = [0-9]+")
    foreach(line ${lines})
      string(REGEX MATCH "\\.timeout = [0-9]+" limit "${line}")
      list(APPEND limits "${limit}")
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES limits)
  list(LENGTH limits count)
  if(count GREATER 1)
    list(JOIN limits ", " limits)
    message(FATAL_ERROR "test_${name}: the time limits of its tests differ: ${limits}")
  endif()
endfunction()

# heddle_unit_test(NAME [WITHOUT_KIT] SOURCES source... LIBRARIES library...): one Criterion program and its ctest entry.
# The test of models/X also sees that block's private headers.
function(heddle_unit_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WITHOUT_KIT" "TIMEOUT" "SOURCES;LIBRARIES;INCLUDES")
  one_timeout(${name} ${arg_SOURCES})
  add_executable(test_${name} ${arg_SOURCES})
  target_include_directories(test_${name} PRIVATE ${arg_INCLUDES})
  # SystemC's library has a main too: Criterion's is to be the first.
  target_link_libraries(test_${name} PRIVATE PkgConfig::CRITERION ${arg_LIBRARIES}
    $<$<NOT:$<BOOL:${arg_WITHOUT_KIT}>>:heddle_test_kit> heddle_flags)
  add_test(NAME ${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/run_test.sh $<TARGET_FILE:test_${name}>)
  set(seconds 120)
  if(arg_TIMEOUT)
    set(seconds ${arg_TIMEOUT})
  endif()
  if(HEDDLE_SANITIZE)
    math(EXPR seconds "3 * ${seconds}") # a test takes two to five times as long
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds})
endfunction()

# heddle_watch_allocations(NAME): that test decides what malloc and calloc give to what it tests (tests/kit/allocations.h).
function(heddle_watch_allocations name)
  target_sources(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/kit/allocations.c)
  target_include_directories(test_${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/kit)
  target_link_options(test_${name} PRIVATE
    LINKER:--wrap=malloc,--wrap=calloc,--wrap=aligned_alloc,--wrap=free)
endfunction()

# SPDX-License-Identifier: MIT
# What somebody who writes a plug-in uses, installed with Heddle. Each makes NAME.so in the build folder.
set(HEDDLE_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# heddle_plugin(NAME source...): block classes in C. Everything in it is hidden but its entry (hd_plugin.h).
function(heddle_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE heddle::abi)
  target_link_options(${name} PRIVATE LINKER:--version-script=${HEDDLE_CMAKE_DIR}/heddle_plugin.map)
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX .so C_STANDARD 17 C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# heddle_units(NAME): the plug-in has units of blocks: it finds the interfaces of all kinds (scheduler.h, ...).
function(heddle_units name)
  get_target_property(folders heddle::abi INTERFACE_INCLUDE_DIRECTORIES)
  foreach(folder IN LISTS folders)
    target_include_directories(${name} PRIVATE ${folder}/units ${folder}/isa)
  endforeach()
endfunction()

# heddle_systemc_plugin(NAME source...): SystemC models in C++ (heddle_systemc.h).
function(heddle_systemc_plugin name)
  if(NOT TARGET PkgConfig::HEDDLE_SYSTEMC)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(HEDDLE_SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE heddle::abi PkgConfig::HEDDLE_SYSTEMC)
  target_link_options(${name} PRIVATE LINKER:--version-script=${HEDDLE_CMAKE_DIR}/heddle_systemc.map)
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX .so CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# heddle_block_test(NAME source...): a Criterion program with the test kit (kit.h), and its test.
function(heddle_block_test name)
  if(NOT TARGET PkgConfig::HEDDLE_CRITERION)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(HEDDLE_CRITERION REQUIRED IMPORTED_TARGET criterion)
  endif()
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE heddle::test_kit PkgConfig::HEDDLE_CRITERION)
  set_target_properties(${name} PROPERTIES C_STANDARD 17)
  add_test(NAME ${name} COMMAND ${name})
endfunction()

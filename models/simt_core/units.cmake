# SPDX-License-Identifier: MIT
# Units that the core is put together from, chosen by parameter.
# By themselves: whoever writes a scheduler, or a scoreboard, builds and tests no more than these.
foreach(kind scheduler scoreboard back_off spin)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/${kind}/*.c)
  add_library(heddle_simt_${kind}s STATIC ${sources})
  target_include_directories(heddle_simt_${kind}s PUBLIC ${CMAKE_CURRENT_LIST_DIR}/common)
  target_link_libraries(heddle_simt_${kind}s PUBLIC heddle_abi PRIVATE heddle_flags)
  set_target_properties(heddle_simt_${kind}s PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(heddle_simt_${kind}s PRIVATE $<$<CONFIG:Release>:-O3>)
  heddle_across_files(heddle_simt_${kind}s)
endforeach()
target_include_directories(heddle_simt_back_offs PUBLIC ${CMAKE_CURRENT_LIST_DIR}/scheduler)
target_link_libraries(heddle_simt_spins PUBLIC heddle_isa)

# What every type of the kind simt_core uses: other types include these folders and no more.
file(GLOB SIMT_CORE_RECONVERGENCE_SOURCES CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/reconvergence/*.c ${CMAKE_CURRENT_LIST_DIR}/reconvergence/*/*.c)
add_library(heddle_simt_units STATIC
  ${SIMT_CORE_RECONVERGENCE_SOURCES}
  ${CMAKE_CURRENT_LIST_DIR}/common/describe.c
  ${CMAKE_CURRENT_LIST_DIR}/common/extent.c
  ${CMAKE_CURRENT_LIST_DIR}/common/instruction_places.c
  ${CMAKE_CURRENT_LIST_DIR}/common/kind.c
  ${CMAKE_CURRENT_LIST_DIR}/common/deadlock_removal.c
  ${CMAKE_CURRENT_LIST_DIR}/common/lane_list.c
  ${CMAKE_CURRENT_LIST_DIR}/common/mistakes.c
  ${CMAKE_CURRENT_LIST_DIR}/common/seen_words.c
  ${CMAKE_CURRENT_LIST_DIR}/common/virtual_switches.c
  ${CMAKE_CURRENT_LIST_DIR}/common/warp_place.c
  ${CMAKE_CURRENT_LIST_DIR}/common/warp_print.c
  ${CMAKE_CURRENT_LIST_DIR}/common/window.c)
target_include_directories(heddle_simt_units PUBLIC
  ${CMAKE_CURRENT_LIST_DIR}/common ${CMAKE_CURRENT_LIST_DIR}/reconvergence)
target_link_libraries(heddle_simt_units PUBLIC heddle_abi heddle_isa PRIVATE heddle_flags)
set_target_properties(heddle_simt_units PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(heddle_simt_units PRIVATE $<$<CONFIG:Release>:-O3>)
heddle_across_files(heddle_simt_units)

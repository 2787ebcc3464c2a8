# SPDX-License-Identifier: MIT
# Tests of the memory pipe, between two scripted ends.
heddle_unit_test(simt_core_memory
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/memory_address.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_atomics.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_basic.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_classes.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_coalescer.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_constant.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_faults.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_fetch.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_global_cache.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_l1.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_random.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_random_run.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_replacement.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_refused.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_rig_partition.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_rig_services.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_scratchpad.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_sectors.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_set_hash.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_texture.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_width.c
    ${CMAKE_CURRENT_LIST_DIR}/memory_write_through.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core)

# SPDX-License-Identifier: MIT
# Tests of the units that the core is put together from.
set(SIMT_CORE_UNIT_INCLUDES
  ${CMAKE_SOURCE_DIR}/models/simt_core/reconvergence
  ${CMAKE_SOURCE_DIR}/models/simt_core/scheduler)

file(GLOB RECONVERGENCE_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/reconvergence_*.c)
heddle_unit_test(simt_core_reconvergence
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_contract.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_mimd.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_moves.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_random.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_returns.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_stack.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_transaction.c
    ${CMAKE_CURRENT_LIST_DIR}/reconvergence_pause.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_reconvergence.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_schedulers.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_turns.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_simt_schedulers heddle_abi heddle_isa
  SOURCES ${RECONVERGENCE_TESTS} ${CMAKE_CURRENT_LIST_DIR}/block_stack_rig.c ${CMAKE_CURRENT_LIST_DIR}/compactor.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${SIMT_CORE_UNIT_INCLUDES})

file(GLOB SCHEDULER_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/scheduler_*.c)
heddle_unit_test(simt_core_scheduler WITHOUT_KIT
  SOURCES ${SCHEDULER_TESTS} ${CMAKE_CURRENT_LIST_DIR}/toy_schedulers.c ${CMAKE_SOURCE_DIR}/tests/kit/random.c
  LIBRARIES heddle_simt_back_offs heddle_simt_schedulers heddle_abi
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core/back_off ${CMAKE_SOURCE_DIR}/models/simt_core/scheduler ${CMAKE_SOURCE_DIR}/tests/kit)

file(GLOB BACK_OFF_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/back_off_*.c)
heddle_unit_test(simt_core_back_off WITHOUT_KIT
  SOURCES ${BACK_OFF_TESTS} ${CMAKE_SOURCE_DIR}/tests/kit/random.c
  LIBRARIES heddle_simt_back_offs heddle_simt_schedulers heddle_abi
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core/back_off ${CMAKE_SOURCE_DIR}/models/simt_core/scheduler ${CMAKE_SOURCE_DIR}/tests/kit)

file(GLOB SPIN_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/spin_*.c)
heddle_unit_test(simt_core_spin WITHOUT_KIT
  SOURCES ${SPIN_TESTS}
  LIBRARIES heddle_simt_spins heddle_isa heddle_abi
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core/spin)

file(GLOB SCOREBOARD_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/scoreboard_*.c)
heddle_unit_test(simt_core_scoreboard WITHOUT_KIT
  SOURCES ${SCOREBOARD_TESTS} ${CMAKE_SOURCE_DIR}/tests/kit/random.c
  LIBRARIES heddle_simt_scoreboards heddle_abi
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core/scoreboard ${CMAKE_SOURCE_DIR}/tests/kit)

heddle_unit_test(simt_core_computing
  SOURCES ${CMAKE_CURRENT_LIST_DIR}/computing.c
  LIBRARIES heddle_simt_units heddle_abi heddle_isa)

# SPDX-License-Identifier: MIT
# Tests of the whole core, alone, between scripted ends.
heddle_unit_test(simt_core
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_accesses.c
    ${CMAKE_CURRENT_LIST_DIR}/core_blocks.c
    ${CMAKE_CURRENT_LIST_DIR}/core_told.c
    ${CMAKE_CURRENT_LIST_DIR}/core_bounds.c
    ${CMAKE_CURRENT_LIST_DIR}/core_checkpoint.c
    ${CMAKE_CURRENT_LIST_DIR}/core_cost.c
    ${CMAKE_CURRENT_LIST_DIR}/core_counting.c
    ${CMAKE_CURRENT_LIST_DIR}/core_courier.c
    ${CMAKE_CURRENT_LIST_DIR}/core_dual.c
    ${CMAKE_CURRENT_LIST_DIR}/core_everything.c
    ${CMAKE_CURRENT_LIST_DIR}/core_faults.c core_repetition.c
    ${CMAKE_CURRENT_LIST_DIR}/core_fetch.c
    ${CMAKE_CURRENT_LIST_DIR}/core_issue.c
    ${CMAKE_CURRENT_LIST_DIR}/core_launches.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move.c
    ${CMAKE_CURRENT_LIST_DIR}/core_levels.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_messages.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_arrays.c ${CMAKE_CURRENT_LIST_DIR}/core_move_arrays_crowded.c ${CMAKE_CURRENT_LIST_DIR}/core_move_dead.c ${CMAKE_CURRENT_LIST_DIR}/core_move_patterns.c ${CMAKE_CURRENT_LIST_DIR}/core_move_scratchpad.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_locks.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_memory.c ${CMAKE_CURRENT_LIST_DIR}/core_move_buffers.c ${CMAKE_CURRENT_LIST_DIR}/core_move_crowded.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_members.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_random.c ${CMAKE_CURRENT_LIST_DIR}/core_move_random_arrays.c ${CMAKE_CURRENT_LIST_DIR}/core_mover.c core_move_random_locks.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_refusals.c
    ${CMAKE_CURRENT_LIST_DIR}/core_move_stops.c
    ${CMAKE_CURRENT_LIST_DIR}/core_order.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_print.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profile.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/core_programs.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/core_registers.c
    ${CMAKE_CURRENT_LIST_DIR}/core_reuse.c
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_switches.c ${CMAKE_CURRENT_LIST_DIR}/random_locks_program.c
    ${CMAKE_CURRENT_LIST_DIR}/core_timing.c
    ${CMAKE_CURRENT_LIST_DIR}/core_widths.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
    ${CMAKE_CURRENT_LIST_DIR}/core_operands.c
    ${CMAKE_CURRENT_LIST_DIR}/core_units.c
    ${CMAKE_CURRENT_LIST_DIR}/core_write_back.c pipe_exits.c
    ${CMAKE_CURRENT_LIST_DIR}/registers.c
    ${CMAKE_CURRENT_LIST_DIR}/timing_wheel.c
    ${CMAKE_CURRENT_LIST_DIR}/block_threads.c residents.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core)
heddle_watch_allocations(simt_core)

# What the core tells its units, and units with a sense of time.
heddle_unit_test(simt_core_events
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_answers.c
    ${CMAKE_CURRENT_LIST_DIR}/core_checkpoint_units.c
    ${CMAKE_CURRENT_LIST_DIR}/core_declines.c
    ${CMAKE_CURRENT_LIST_DIR}/core_events.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_reconvergence.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_schedulers.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_scoreboard.c
    ${CMAKE_CURRENT_LIST_DIR}/toy_turns.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_simt_schedulers heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core/scheduler ${CMAKE_SOURCE_DIR}/models/simt_core/scoreboard ${CMAKE_SOURCE_DIR}/models/simt_core)

# Transactions, before scripted partitions.
file(GLOB PROTOCOL_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/protocol_*.c)
heddle_unit_test(simt_core_tx
  SOURCES ${PROTOCOL_TESTS}
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/scattered.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/getm_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/getm_rig_replay.c
    ${CMAKE_CURRENT_LIST_DIR}/getm_rig_units.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_core.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_conforms.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_epochs.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_memory.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_move.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_move_machines.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_move_random.c
    ${CMAKE_CURRENT_LIST_DIR}/core_courier.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_nested.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_program.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_refusals.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_trace.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_waits.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_getm.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_getm_gate.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_profile.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_intra_warp.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_back_off.c
    ${CMAKE_CURRENT_LIST_DIR}/ideal_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_ideal.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_ideal_waits.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_ideal_random.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_local.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_local_checked.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_local_random.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_local_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_local_turns.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_random.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_table.c
  LIBRARIES heddle_observe_transactions heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core ${CMAKE_SOURCE_DIR}/models/simt_core/tx)

# A protocol that validates at commit, in the place of the core's own.
heddle_unit_test(simt_core_tx_lazy
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
    ${CMAKE_CURRENT_LIST_DIR}/lazy_commit_units.c
    ${CMAKE_CURRENT_LIST_DIR}/lazy_unit.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_doomed.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_patience.c
    ${CMAKE_CURRENT_LIST_DIR}/scattered.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_both.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_lazy.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_lazy_random.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_table.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core ${CMAKE_SOURCE_DIR}/models/simt_core/common ${CMAKE_SOURCE_DIR}/models/simt_core/tx)

# Warps with two paths, in the place of the core's own reconvergence units.
heddle_unit_test(simt_core_tx_split
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/getm_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/getm_rig_replay.c
    ${CMAKE_CURRENT_LIST_DIR}/getm_rig_units.c
    ${CMAKE_CURRENT_LIST_DIR}/ideal_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/split_stack.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_ideal_random.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_program.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_random.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_split.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core ${CMAKE_SOURCE_DIR}/models/simt_core/tx)

# Transactions without a core, through their port.
set(TX_SOURCES access attempt back_off commit intra_warp log patience pause report thread_time transactions undo)
list(TRANSFORM TX_SOURCES REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/models/simt_core/tx/\\1.c")
heddle_unit_test(simt_core_tx_port
  SOURCES
    ${TX_SOURCES}
    ${CMAKE_CURRENT_LIST_DIR}/tx_port.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_port_both.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_port_memory.c
    ${CMAKE_CURRENT_LIST_DIR}/tx_port_rig.c
  LIBRARIES heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core ${CMAKE_SOURCE_DIR}/models/simt_core/tx)

# Paths of lanes of several warps, in the place of the core's own reconvergence units.
heddle_unit_test(simt_core_regrouped
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_alone.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/core_regrouped.c
    ${CMAKE_CURRENT_LIST_DIR}/core_regrouped_threads.c
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
    ${CMAKE_CURRENT_LIST_DIR}/regrouper.c
  LIBRARIES heddle_functional_core heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/functional_core ${CMAKE_SOURCE_DIR}/models/simt_core)

heddle_unit_test(simt_core_all_units
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_alone.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/core_all_units.c ${CMAKE_CURRENT_LIST_DIR}/core_debug.c
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
  LIBRARIES heddle_functional_core heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/functional_core ${CMAKE_SOURCE_DIR}/models/simt_core)

heddle_unit_test(simt_core_dwf
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_alone.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/core_dwf.c
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
  LIBRARIES heddle_functional_core heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/functional_core ${CMAKE_SOURCE_DIR}/models/simt_core)

heddle_unit_test(simt_core_block_stack
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/core_alone.c
    ${CMAKE_CURRENT_LIST_DIR}/core_pair.c
    ${CMAKE_CURRENT_LIST_DIR}/core_profiled.c
    ${CMAKE_CURRENT_LIST_DIR}/core_random_program.c
    ${CMAKE_CURRENT_LIST_DIR}/core_block_stack.c
    ${CMAKE_CURRENT_LIST_DIR}/core_compaction.c
    ${CMAKE_CURRENT_LIST_DIR}/core_rig.c
    ${CMAKE_CURRENT_LIST_DIR}/core_words.c
  LIBRARIES heddle_functional_core heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/functional_core ${CMAKE_SOURCE_DIR}/models/simt_core)

# What makes a thread block that moves smaller, each part by itself.
heddle_unit_test(simt_core_shuffle
  SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/register_patterns.c
    ${CMAKE_CURRENT_LIST_DIR}/pattern_cache.c ${CMAKE_CURRENT_LIST_DIR}/array_table.c ${CMAKE_CURRENT_LIST_DIR}/array_table_retile.c
  LIBRARIES heddle_simt_core heddle_cache heddle_simt_units heddle_abi heddle_isa
  INCLUDES ${CMAKE_SOURCE_DIR}/models/simt_core)

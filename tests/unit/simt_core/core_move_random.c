/* SPDX-License-Identifier: MIT */
/* Random programs whose blocks move, on machines of many kinds (core_mover.h). */
#include "core_mover.h"

#include <criterion/criterion.h>

#define STREAM "context.engine=stream", "context.bytes_per_cycle=64 B"
#define SLOW_STREAM "context.engine=stream"

static const char *const stack[] = {"reconvergence=stack", STREAM, NULL};
static const char *const stack_cached[] = {"l1.global=cache",        "l1.bytes=768 B",   "scheduler=lrr",
                                           "write_back.width=1",     "issue.per_warp=2", "registers.banks=4",
                                           "registers.collectors=2", SLOW_STREAM,        NULL};
static const char *const mimd[] = {"reconvergence=mimd", "simd_width=64", "schedulers=4",
                                   "fetch.width=8",      STREAM,          NULL};
static const char *const wide[] = {"lanes=64", "warps=24", "l1.global=cache", "scoreboard=simple", STREAM, NULL};
static const char *const modern[] = {"l1.global=cache",
                                     "l1.bytes=3 KiB",
                                     "l1.sector=32 B",
                                     "l1.allocate=on_fill",
                                     "l1.write=through",
                                     "l1.write_allocate=validate",
                                     "l1.port_bytes=64 B",
                                     "memory.lanes=16",
                                     "memory.address.interval=4 cycles",
                                     "scratchpad.group=16",
                                     "atomic.request=sectors",
                                     STREAM,
                                     NULL};
static const char *const odd[] = {"lanes=5",
                                  "simd_width=2",
                                  "warps=70",
                                  "schedulers=3",
                                  "blocks=3",
                                  "memory.accesses=3",
                                  "memory.queue=1",
                                  "l1.bytes=768 B",
                                  "l1.mshr_merges=1",
                                  "l1.global=cache",
                                  "memory.sector=64 B",
                                  SLOW_STREAM,
                                  NULL};

static const char *const code[] = {"instruction_cache.bytes=256 B",
                                   "instruction_cache.ways=1",
                                   "instruction_cache.mshr_merges=1",
                                   "constant_cache.bytes=128 B",
                                   STREAM,
                                   NULL};

static const char *const in_memory[] = {STREAM, "context.storage=memory", NULL};
static const char *const in_memory_cached[] = {"registers_per_thread=64",
                                               "context.storage=memory",
                                               "context.cacheable=l1l2",
                                               "context.bytes_per_cycle=0 B",
                                               "context.engine=stream",
                                               "l1.global=cache",
                                               NULL};

#define IN_BUFFERS STREAM, "context.storage=buffer"
static const char *const in_buffers[] = {IN_BUFFERS, NULL};
static const char *const in_buffers_odd[] = {IN_BUFFERS,
                                             "context.bytes_per_cycle=0 B",
                                             "context.buffer_bytes_per_cycle=0 B",
                                             "lanes=5",
                                             "warps=70",
                                             "blocks=3",
                                             "l1.global=cache",
                                             NULL};
#define SHUFFLED(unit)                                                                                                 \
    IN_BUFFERS, "context.dead=marks", "context.compress=move", "context.scratchpad=written", "reconvergence=" unit
static const char *const shuffled_stack[] = {SHUFFLED("stack"), NULL};
static const char *const shuffled_mimd[] = {SHUFFLED("mimd"), NULL};
/* Without a time-out: which lanes run together would depend on how long a block is away. */
#define PATIENT "reconvergence.aware.timeout=0 cycles"
static const char *const shuffled_aware[] = {SHUFFLED("aware"), PATIENT, NULL};
static const char *const shuffled_mp[] = {SHUFFLED("mp"), NULL};
static const char *const shuffled_block[] = {SHUFFLED("block_stack"), "l1.global=bypass", NULL};
static const char *const shuffled_dwf[] = {SHUFFLED("dwf"), NULL};
static const char *const shuffled_dwf_wb[] = {SHUFFLED("dwf_wb"), NULL};

/* Dead registers stay behind, and are garbage where the block goes on. */
#define MARKS STREAM, "context.dead=marks"
#define ORACLE STREAM, "context.dead=oracle"
static const char *const marks[] = {MARKS, NULL};
static const char *const marks_in_memory[] = {MARKS, "context.storage=memory", "registers_per_thread=12", NULL};
static const char *const marks_mimd[] = {MARKS, "reconvergence=mimd", "lanes=5", "warps=60", NULL};
static const char *const oracle[] = {ORACLE, "issue.per_warp=2", NULL};
static const char *const oracle_mimd[] = {ORACLE, "reconvergence=mimd", "lanes=64", "warps=24", NULL};
static const char *const marks_mp[] = {MARKS, "reconvergence=mp", NULL};
static const char *const oracle_aware[] = {ORACLE, "reconvergence=aware", PATIENT, NULL};
static const char *const marks_block[] = {MARKS, "reconvergence=block_stack", "l1.global=bypass", NULL};
static const char *const oracle_dwf[] = {ORACLE, "reconvergence=dwf", NULL};
static const char *const oracle_dwf_wb[] = {ORACLE, "reconvergence=dwf_wb", NULL};
#define WRITTEN "context.scratchpad=written"
#define PATTERNS(where) "context.compress=" where
static const char *const patterns[] = {STREAM, PATTERNS("move"), WRITTEN, NULL};
static const char *const patterns_written[] = {MARKS, PATTERNS("write"), "context.compress_cache=128 B", NULL};
static const char *const patterns_mimd[] = {ORACLE,    PATTERNS("move"), "reconvergence=mimd",
                                            "lanes=5", "warps=60",       NULL};
static const char *const patterns_mp[] = {ORACLE, PATTERNS("write"), WRITTEN, "reconvergence=mp", NULL};
static const char *const patterns_block[] = {MARKS, PATTERNS("write"), "reconvergence=block_stack", NULL};
static const char *const patterns_dwf[] = {STREAM,     PATTERNS("write"), WRITTEN, "reconvergence=dwf",
                                           "lanes=64", "warps=24",        NULL};
static const char *const patterns_in_memory[] = {ORACLE,
                                                 PATTERNS("move"),
                                                 WRITTEN,
                                                 "context.scratchpad_entries=5",
                                                 "context.storage=memory",
                                                 "registers_per_thread=64",
                                                 "reconvergence=aware",
                                                 PATIENT,
                                                 NULL};

static const move_machine machines[] = {{"stack", stack, stack},
                                        {"two kinds of caches", stack, stack_cached},
                                        {"mimd", mimd, mimd},
                                        {"64 lanes", wide, wide},
                                        {"5 lanes", odd, odd},
                                        {"instruction cache", code, code},
                                        {"contexts in memory", in_memory, in_memory},
                                        {"contexts in memory and caches", in_memory_cached, in_memory_cached},
                                        {"by buffers", in_buffers, in_buffers},
                                        {"by buffers, 5 lanes", in_buffers_odd, in_buffers_odd},
                                        {"shuffled, stack", shuffled_stack, shuffled_stack},
                                        {"shuffled, mimd", shuffled_mimd, shuffled_mimd},
                                        {"shuffled, aware", shuffled_aware, shuffled_aware},
                                        {"shuffled, mp", shuffled_mp, shuffled_mp},
                                        {"shuffled, block_stack", shuffled_block, shuffled_block},
                                        {"shuffled, dwf", shuffled_dwf, shuffled_dwf},
                                        {"shuffled, dwf_wb", shuffled_dwf_wb, shuffled_dwf_wb},
                                        {"marked registers", marks, marks},
                                        {"marked registers in memory", marks_in_memory, marks_in_memory},
                                        {"marked registers, mimd", marks_mimd, marks_mimd},
                                        {"oracle", oracle, oracle},
                                        {"oracle, mimd", oracle_mimd, oracle_mimd},
                                        {"marked registers, mp", marks_mp, marks_mp},
                                        {"oracle, aware", oracle_aware, oracle_aware},
                                        {"marked registers, block_stack", marks_block, marks_block},
                                        {"oracle, dwf", oracle_dwf, oracle_dwf},
                                        {"oracle, dwf_wb", oracle_dwf_wb, oracle_dwf_wb},
                                        {"patterns", patterns, patterns},
                                        {"patterns, as written", patterns_written, patterns_written},
                                        {"patterns, mimd", patterns_mimd, patterns_mimd},
                                        {"patterns, mp", patterns_mp, patterns_mp},
                                        {"patterns, block_stack", patterns_block, patterns_block},
                                        {"patterns, dwf", patterns_dwf, patterns_dwf},
                                        {"patterns in memory, aware", patterns_in_memory, patterns_in_memory},
                                        {"sectors and address units", modern, modern}};
static const move_trial trial = {.machines = machines,
                                 .machine_count = sizeof machines / sizeof *machines,
                                 .scratchpad_per_thread = 4,
                                 .program = random_program};

/* A block that is to stop once it has got on may do so at any edge at which others issue. */
Test(simt_core, blocks_leave_no_earlier_than_is_promised)
{
    move_programs(&trial, move_by_messages, 9250005, 1);
}

Test(simt_core, random_programs_do_the_same_when_their_blocks_move, .timeout = 3600)
{
    cr_expect_gt(move_all(&trial, move_by_hand).blocks.resumed, 0);
}

Test(simt_core, random_programs_do_the_same_when_messages_move_their_blocks, .timeout = 3600)
{
    move_all(&trial, move_by_messages);
}

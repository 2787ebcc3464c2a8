/* SPDX-License-Identifier: MIT */
/*
 * Random programs of which copies of global memory lie in the scratchpad before and behind, moved with and without them: on every
 * reconvergence unit, by either way, with all that makes a block smaller, and with garbage in all words that did not move.
 */
#include "core_mover.h"

#include <criterion/criterion.h>
#include <string.h>

#define STREAM "context.engine=stream", "context.bytes_per_cycle=64 B"
#define ARRAYS STREAM, "context.scratchpad=arrays"
#define POISONED ARRAYS, "context.unwritten=garbage"
#define IN_MEMORY "context.storage=memory", "registers_per_thread=64"
#define SMALL "context.dead=marks", "context.compress=move"

static const char *const stack[] = {ARRAYS, NULL};
static const char *const stack_in_memory[] = {POISONED, IN_MEMORY, NULL};
static const char *const cached[] = {
    POISONED, IN_MEMORY, "context.cacheable=l1l2", "l1.global=cache", "l1.bytes=3 KiB", "warps=24", NULL};
static const char *const retiled[] = {POISONED, "context.retile=true", SMALL, NULL};
static const char *const few_entries[] = {POISONED, "context.retile=true", "context.scratchpad_entries=7", IN_MEMORY,
                                          NULL};
static const char *const strict[] = {POISONED, "context.foreign_store_check=strict", "context.dead=oracle", NULL};
static const char *const in_buffers[] = {POISONED, "context.storage=buffer", SMALL, NULL};
static const char *const mimd[] = {POISONED, "reconvergence=mimd", SMALL, NULL};
static const char *const five_lanes[] = {POISONED, "reconvergence=mimd", "lanes=5", "warps=60", IN_MEMORY, NULL};
static const char *const mp[] = {POISONED, "reconvergence=mp", "context.compress=write", NULL};
static const char *const aware[] = {
    POISONED, "reconvergence=aware", "reconvergence.aware.timeout=0 cycles", IN_MEMORY, SMALL, NULL};
static const char *const block[] = {POISONED, "reconvergence=block_stack", SMALL, NULL};
static const char *const dwf[] = {POISONED, "reconvergence=dwf", "lanes=64", "warps=24", NULL};
static const char *const dwf_wb[] = {POISONED, "reconvergence=dwf_wb", IN_MEMORY, NULL};
static const char *const units[] = {
    POISONED, "memory.address.interval=4 cycles", "l1.global=cache", "warps=24", "issue.per_warp=2", NULL};

static const move_machine machines[] = {{"arrays", stack, stack},
                                        {"in memory", stack_in_memory, stack_in_memory},
                                        {"caches", cached, cached},
                                        {"retiled", retiled, retiled},
                                        {"seven entries", few_entries, few_entries},
                                        {"strict", strict, strict},
                                        {"in buffers", in_buffers, in_buffers},
                                        {"mimd", mimd, mimd},
                                        {"five lanes", five_lanes, five_lanes},
                                        {"mp", mp, mp},
                                        {"aware", aware, aware},
                                        {"block_stack", block, block},
                                        {"dwf", dwf, dwf},
                                        {"dwf_wb", dwf_wb, dwf_wb},
                                        {"address units", units, units}};

#define TABLE (DATA + 0x20000u) /* and a page behind it: of what is copied */
#define PAGE 0x1000u
#define OWN_GLOBAL A3
#define OWN_SCRATCHPAD A4
#define COPY_AT TP /* the thread's word of a copy, but for 32 bytes; random programs use neither this nor gp */

static uint32_t lw_nc(uint32_t rd, int32_t offset, uint32_t rs1)
{
    return i_type(0x2B, 3, rd, rs1, offset);
}

/* Scratchpad: 8 words of all, one of each thread, copies of the table, and as many words that nobody writes. */
static void with_copies(uint64_t seed, uint32_t words[RANDOM_WORDS])
{
    static uint32_t program[RANDOM_WORDS];
    const uint32_t before[] = {add(GP, RA, ZERO),    csrr(T0, 0xCC0),  slli(T2, T0, 2),  lui(A4, HD_SCRATCHPAD_BASE),
                               sw(ZERO, 0, A4),      sw(ZERO, 4, A4),  sw(ZERO, 8, A4),  sw(ZERO, 12, A4),
                               sw(ZERO, 16, A4),     sw(ZERO, 20, A4), sw(ZERO, 24, A4), sw(ZERO, 28, A4),
                               add(A4, A4, T2),      sw(ZERO, 32, A4), csrr(T1, 0xCC6),  slli(T1, T1, 2),
                               add(COPY_AT, A4, T1), lui(A5, TABLE),   add(A5, A5, T2),  lw_nc(A0, 0, A5),
                               sw(A0, 32, COPY_AT),  jal(RA, 0)};
    const uint32_t behind[] = {lw(A0, 32, COPY_AT),
                               sw(A0, 52, OWN_GLOBAL),
                               csrr(T0, 0xCC0),
                               slli(T2, T0, 2),
                               lui(A5, TABLE + PAGE),
                               add(A5, A5, T2),
                               lw_nc(A0, 0, A5),
                               sw(A0, 32, COPY_AT),
                               lw(A1, 16, OWN_GLOBAL),
                               sw(A1, 0, OWN_SCRATCHPAD),
                               addi(T1, ZERO, 40),
                               addi(T1, T1, -1),
                               bne(T1, ZERO, -4),
                               sw(T0, 16, OWN_GLOBAL),
                               addi(T1, ZERO, 40),
                               addi(T1, T1, -1),
                               bne(T1, ZERO, -4),
                               lw(A0, 32, COPY_AT),
                               sw(A0, 56, OWN_GLOBAL),
                               lw(A1, 0, OWN_SCRATCHPAD),
                               sw(A1, 60, OWN_GLOBAL),
                               add(RA, GP, ZERO),
                               ret()};
    const uint32_t first = sizeof before / 4, last = sizeof behind / 4;
    uint32_t count = 0;
    random_program(seed, program);
    while (program[count])
        count++;
    cr_assert_lt(first + last + count, RANDOM_WORDS);
    memcpy(words, before, sizeof before);
    memcpy(words + first, behind, sizeof behind);
    memcpy(words + first + last, program, count * 4);
    words[first - 1] = jal(RA, 4 * (int32_t)(last + 1));
    words[first + last + count] = 0;
}

static void fill_table(core_pair *pair)
{
    for (uint32_t i = 0; i < 128; i++) {
        rig_set_word(pair->rig[0], TABLE + 4 * i, 0x51000000 + i * i);
        rig_set_word(pair->rig[0], TABLE + PAGE + 4 * i, 0x62000000 + 3 * i * i);
    }
}

static const move_trial trial = {.machines = machines,
                                 .machine_count = sizeof machines / sizeof *machines,
                                 .scratchpad_per_thread = 12,
                                 .program = with_copies,
                                 .prepare = fill_table};

Test(simt_core, random_copies_are_there_when_their_blocks_move, .timeout = 3600)
{
    cr_expect_gt(move_all(&trial, move_by_hand).blocks.resumed, 0);
}

Test(simt_core, random_copies_are_there_when_messages_move_their_blocks, .timeout = 3600)
{
    const move_counts counts = move_all(&trial, move_by_messages);
    cr_expect_gt(counts.arrays, counts.blocks.moves / 10, "%lu arrays of %u blocks stayed in memory", counts.arrays,
                 counts.blocks.moves);
}

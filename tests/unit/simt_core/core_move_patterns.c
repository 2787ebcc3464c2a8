/* SPDX-License-Identifier: MIT */
/* Registers that are a pattern move as one: how many bytes that is, and that nobody notices. */
#include "core_courier.h"

#include <criterion/criterion.h>

#define MACHINE                                                                                                        \
    "context.engine=stream", "context.storage=memory", "context.bytes_per_cycle=64 B", "registers_per_thread=32",      \
        "context.dead=marks"
static const char *const whole[] = {MACHINE, NULL};
static const char *const moved[] = {MACHINE, "context.compress=move", NULL};
#define BY_BUFFER                                                                                                      \
    "context.engine=stream", "context.storage=buffer", "registers_per_thread=32", "context.dead=marks",                \
        "context.compress=move"
static const char *const shuffled[] = {BY_BUFFER, NULL};
static const char *const written[] = {MACHINE, "context.compress=write", NULL};
static const char *const four_entries[] = {MACHINE, "context.compress=write", "context.compress_cache=34 B", NULL};

#define BASE A1
enum kind { CONSTANT, BY_1, BY_4, HALVES_BY_1, HALVES_BY_4, RANDOM };
static const struct {
    uint32_t number;
    enum kind kind;
} registers[] = {{8, BY_1},         {9, BY_1},         {12, BY_1},        {13, BY_1},     {14, BY_1},    {15, BY_4},
                 {16, BY_4},        {17, BY_4},        {26, CONSTANT},    {27, CONSTANT}, {3, CONSTANT}, {4, CONSTANT},
                 {28, HALVES_BY_1}, {29, HALVES_BY_1}, {30, HALVES_BY_4}, {18, RANDOM},   {19, RANDOM},  {20, RANDOM},
                 {21, RANDOM},      {22, RANDOM},      {23, RANDOM},      {24, RANDOM},   {25, RANDOM}};
#define REGISTERS (sizeof registers / sizeof *registers)

static uint32_t value_of(size_t i, uint32_t thread)
{
    const uint32_t number = registers[i].number, square = thread * thread;
    switch (registers[i].kind) {
    case CONSTANT: return number;
    case BY_1: return thread + number;
    case BY_4: return 4 * thread + number;
    case HALVES_BY_1: return thread + number + (thread & 16) * 32;
    case HALVES_BY_4: return 4 * thread + number + (thread & 16) * 32;
    default: return (square + number) * square;
    }
}

/* Behind them ra, t1 and the address are needed: two constants, and one by steps of 4. So 18 of 26 are patterns, as in the example. */
static void write_program(uint32_t *words)
{
    const uint32_t wait[] = {DELAY(1500)};
    uint32_t n = 0;
    words[n++] = csrr(T0, 0xCC0);
    words[n++] = slli(T2, T0, 2);
    words[n++] = lui(BASE, DATA);
    words[n++] = add(BASE, BASE, T2);
    words[n++] = andi(A0, T0, 16);
    words[n++] = slli(A0, A0, 5);
    words[n++] = mul(T1, T0, T0);
    for (size_t i = 0; i < REGISTERS; i++) {
        const uint32_t number = registers[i].number;
        const uint32_t from[] = {
            [CONSTANT] = ZERO, [BY_1] = T0, [BY_4] = T2, [HALVES_BY_1] = T0, [HALVES_BY_4] = T2, [RANDOM] = T1};
        words[n++] = addi(number, from[registers[i].kind], (int32_t)number);
        if (registers[i].kind == RANDOM)
            words[n++] = mul(number, number, T1);
        else if (registers[i].kind >= HALVES_BY_1)
            words[n++] = add(number, number, A0);
    }
    words[n++] = add(ZERO, A0, T0); /* their last readers */
    words[n++] = add(ZERO, A0, T2);
    for (size_t i = 0; i < sizeof wait / sizeof *wait; i++)
        words[n++] = wait[i];
    for (size_t i = 1; i < REGISTERS; i++)
        words[n++] = add(registers[0].number, registers[0].number, registers[i].number);
    words[n++] = sw(registers[0].number, 0, BASE);
    words[n++] = ret();
    words[n] = 0;
}

typedef struct left {
    hd_context_size size;
    uint64_t cycles, dead, spared, evictions, patterns[5];
    uint64_t tested, writes, reads, expanded;
} left;

static uint64_t of(courier *c, uint32_t core, const char *statistic)
{
    return kit_statistic(rig_kit(c->pair->rig[core]), statistic);
}

/* It leaves while it waits, and comes back elsewhere. */
static left move(const char *const *parameters, uint32_t threads)
{
    uint32_t words[256];
    write_program(words);
    core_pair *pair = pair_create(parameters, parameters, words);
    courier *c = courier_create(pair);
    c->buffer_bytes = parameters == shuffled ? 4096 : 0;
    pair_launch(pair, 0, threads, 0);
    pair_run(pair, 2500);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
    left found = {.size = c->blocks[0].size,
                  .cycles = of(c, 0, "context_cycles"),
                  .dead = of(c, 0, "context_dead_registers"),
                  .spared = of(c, 0, "context_bytes_spared"),
                  .evictions = of(c, 0, "context_pattern_evictions"),
                  .tested = of(c, 0, "context_registers_tested"),
                  .writes = of(c, 0, "context_pattern_writes"),
                  .reads = of(c, 0, "context_pattern_reads"),
                  .patterns = {of(c, 0, "context_constant_registers"), of(c, 0, "context_stride_1_registers"),
                               of(c, 0, "context_stride_4_registers"), of(c, 0, "context_halves_1_registers"),
                               of(c, 0, "context_halves_4_registers")}};
    courier_restore(c, 0, 1);
    pair_finish(pair, 1);
    found.expanded = of(c, 1, "context_registers_expanded");
    for (uint32_t thread = 0; thread < threads; thread++) {
        uint32_t sum = 0;
        for (size_t i = 0; i < REGISTERS; i++)
            sum += value_of(i, thread);
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * thread), sum, "thread %u", thread);
    }
    courier_destroy(c);
    pair_destroy(pair);
    return found;
}

static void expect_patterns(const left *found, uint64_t constants, uint64_t by_1, uint64_t by_4, uint64_t halves_by_1,
                            uint64_t halves_by_4)
{
    const uint64_t expected[] = {constants, by_1, by_4, halves_by_1, halves_by_4};
    for (uint32_t i = 0; i < 5; i++)
        cr_expect_eq(found->patterns[i], expected[i], "pattern %u: %lu", i + 1, found->patterns[i]);
}

/* 32 registers, 6 dead, 18 patterns, 8 others: 18 * 8 B + 8 * 128 B, and 5 bits for each register. */
Test(simt_core, the_worked_example_takes_as_many_bytes_and_cycles_as_is_published)
{
    const left plain = move(whole, 32), found = move(moved, 32);
    cr_expect_eq(plain.size.register_bytes, 26 * 128);
    cr_expect_eq(plain.dead, 6);
    cr_expect_eq(found.dead, 6);
    cr_expect_eq(found.size.register_bytes, 1168, "%lu", found.size.register_bytes);
    const uint64_t marks = found.size.control_bytes - plain.size.control_bytes + 4;
    cr_expect_eq(found.size.register_bytes + marks, 1188);
    cr_expect_eq((1188 + 63) / 64, 19);
    cr_expect_eq(found.cycles, (hd_context_bytes(&found.size) + 63) / 64);
    cr_expect_eq(found.spared, 4096 - 1168);
    expect_patterns(&found, 6, 5, 4, 2, 1);
    const left by_buffer = move(shuffled, 32);
    cr_expect_eq(by_buffer.size.buffer, 1);
    cr_expect_eq(hd_context_bytes(&by_buffer.size), hd_context_bytes(&found.size));
    cr_expect_eq(by_buffer.cycles, found.cycles, "the same at 64 B a cycle");
}

/* Tested as they are written they are the same, if there is room for all of them. */
Test(simt_core, patterns_that_are_kept_are_those_of_the_values)
{
    const left found = move(written, 32), few = move(four_entries, 32);
    cr_expect_eq(found.size.register_bytes, 1168, "%lu", found.size.register_bytes);
    expect_patterns(&found, 6, 5, 4, 2, 1);
    cr_expect_eq(found.evictions, 0);
    cr_expect_eq(few.size.register_bytes, 4 * 8 + 22 * 128, "%lu", few.size.register_bytes);
    cr_expect_gt(few.evictions, 14);
}

/* Of the 26 that move 18 are patterns. A cache gets a pattern for each write of one: all instructions but two behind csrr, slli, lui and add, mul,
 * and the 16 of random values write one. */
Test(simt_core, what_costs_energy_is_counted_once)
{
    const left plain = move(whole, 32), at_once = move(moved, 32), kept = move(written, 32);
    cr_expect(!plain.tested && !plain.writes && !plain.reads && !plain.expanded);
    cr_expect_eq(at_once.tested, 26, "%lu", at_once.tested);
    cr_expect_eq(at_once.expanded, 18, "%lu", at_once.expanded);
    cr_expect(!at_once.writes && !at_once.reads);
    cr_expect_eq(kept.reads, 18, "%lu", kept.reads);
    cr_expect_eq(kept.expanded, 18, "%lu", kept.expanded);
    cr_expect_eq(kept.tested - kept.writes, 2 + 1 + 16, "%lu of %lu", kept.tested - kept.writes, kept.tested);
    cr_expect_gt(kept.writes, 4 + 12 + 6);
}

/* 33 threads: of the second warp a pattern would be larger than its one value. With 48, lanes that are not there do not matter. */
Test(simt_core, patterns_of_warps_that_are_not_full)
{
    cr_expect_eq(move(moved, 33).size.register_bytes, 1168 + 26 * 4);
    cr_expect_eq(move(written, 33).size.register_bytes, 1168 + 26 * 4);
    const left half = move(moved, 48);
    cr_expect_eq(half.size.register_bytes, 1168 + 18 * 8 + 8 * 64, "%lu", half.size.register_bytes);
    cr_expect_eq(half.dead, 12);
}

/* A block of 32 threads has left a pattern in register 18; the next in its warp, of 31, never writes it: to it, it is 0. */
Test(simt_core, patterns_of_an_earlier_block_are_not_those_of_the_next)
{
    static const char *const alone[] = {"context.engine=stream", "context.compress=write", "blocks=1", NULL};
    const uint32_t words[] = {
        csrr(T0, 0xCC6), addi(T0, T0, -31), beq(T0, ZERO, 8), addi(18, ZERO, 5), DELAY(300), lui(A3, DATA),
        csrr(T0, 0xCC0), slli(T0, T0, 2),   add(A3, A3, T0),  sw(18, 0, A3),     ret(),      0};
    core_pair *pair = pair_create(alone, alone, words);
    courier *c = courier_create(pair);
    pair_launch(pair, 0, 32, 0);
    pair_finish(pair, 1);
    cr_assert_eq(rig_word(pair->rig[0], DATA + 4), 5);
    pair_launch(pair, 0, 31, 0);
    pair_run(pair, 400);
    courier_stop(c, 1);
    courier_wait(c, 1);
    cr_assert_eq(c->blocks[1].place, COURIER_HERE);
    courier_restore(c, 1, 1);
    pair_finish(pair, 2);
    for (uint32_t thread = 0; thread < 31; thread++)
        cr_expect_eq(rig_word(pair->rig[0], DATA + 4 * thread), 0, "thread %u", thread);
    courier_destroy(c);
    pair_destroy(pair);
}

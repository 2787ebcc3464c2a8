/* SPDX-License-Identifier: MIT */
/* Rates of atomics: on one word, on words of a line, on lines apart; known answers K25 to K28 for chosen parameters. */
#include "bench.h"

#include <stdlib.h>

enum { BEGIN = 500, REQUESTS = 24 };

/* One request: `count` operations on words first, first + step, ... of a line, behind whose end it begins anew. */
struct pattern {
    uint32_t line, first, step, count;
};

static void add(kit_block *kit, uint32_t port, struct pattern pattern, uint64_t tag, uint64_t cycle)
{
    hd_atomic_operation operations[32];
    for (uint32_t i = 0; i < pattern.count; i++)
        operations[i] = (hd_atomic_operation){
            .operation = HD_ATOMIC_ADD, .word = (pattern.first + i * pattern.step) % 32, .operand = 1};
    atomic(kit, port, pattern.line * LINE, operations, pattern.count, tag, cycle * CYCLE);
}

/* Eight lines are here; their loads are the first replies. */
static kit_block *warm(struct memory *memory, const char *const *parameters, uint32_t ports)
{
    kit_block *kit = make(memory, parameters, ports);
    for (uint32_t line = 0; line < 8; line++)
        load_now(kit, line * LINE);
    return kit;
}

/* Edge from which on the last of the requests can be answered, counted from the first. */
static uint64_t cycles_until(kit_block *kit, uint32_t requests)
{
    kit_run_until(kit, 20000 * CYCLE);
    return sent_at(kit, REPLY, 8 + requests - 1) - BEGIN - LATENCY + 1;
}

/* Cycles per request of those that come as fast as they are taken: of both patterns in turn. */
static double rate(const char *const *parameters, struct pattern one, struct pattern other)
{
    struct memory *memory = make_memory();
    kit_block *kit = warm(memory, parameters, 1);
    for (uint32_t i = 0; i < REQUESTS; i++)
        add(kit, 0, i % 2 ? other : one, i, BEGIN);
    kit_run_until(kit, 20000 * CYCLE);
    const uint64_t cycles = sent_at(kit, REPLY, 8 + REQUESTS - 1) - sent_at(kit, REPLY, 8 + 1);
    kit_destroy(kit);
    free(memory);
    return (double)cycles / (REQUESTS - 2);
}

#define WITH(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char *const nothing[] = {NULL};

/* K25: all lanes one word, each a request, or all in one. */
Test(l2_slice, one_word_is_operated_on_at_its_own_rate)
{
    const struct pattern word = {.count = 1}, warp = {.count = 32};
    cr_expect_eq(rate(nothing, word, word), 1);
    cr_expect_eq(rate(WITH("atomic.sector_words=8"), word, word), 1);
    cr_expect_eq(rate(WITH("atomic.same_word=9 cycles"), word, word), 9);
    cr_expect_eq(rate(nothing, warp, warp), 32);
    cr_expect_eq(rate(WITH("atomic_words=32"), warp, warp), 1, "what is one operation as good as another");
    cr_expect_eq(rate(WITH("atomic.sector_words=8"), warp, warp), 32);
    cr_expect_eq(rate(WITH("atomic.same_word=9 cycles"), warp, warp), 9 * 32);
    cr_expect_eq(rate(WITH("atomic.line_lock=7 cycles", "atomic.same_word=3 cycles"), warp, warp), 7 * 32);
}

/* K26: 32 words of a line. */
Test(l2_slice, words_of_a_line_go_sector_by_sector)
{
    const struct pattern line = {.step = 1, .count = 32}, other = {.line = 1, .step = 1, .count = 32};
    const struct pattern spread = {.step = 8, .count = 4}, half = {.step = 2, .count = 16},
                         twice = {.step = 2, .count = 32};
    cr_expect_eq(rate(nothing, line, line), 32);
    cr_expect_eq(rate(WITH("atomic.sector_words=8"), line, line), 4);
    cr_expect_eq(rate(WITH("atomic.sector_words=3"), line, line), 12);
    cr_expect_eq(rate(WITH("atomic.sector_words=1"), line, line), 32);
    cr_expect_eq(rate(WITH("atomic.sector_words=8"), spread, spread), 4, "a cycle for each 32 B");
    cr_expect_eq(rate(WITH("atomic.sector_words=8"), twice, twice), 2 * 4,
                 "the second of a word when all had their first");
    cr_expect_eq(rate(WITH("atomic.sector_words=2", "atomic.same_word=3 cycles"), twice, twice), 2 * 8);
    cr_expect_eq(rate(WITH("atomic.sector_words=4"), half, half), 4);
    cr_expect_eq(rate(WITH("atomic.same_word=9 cycles", "atomic_words=16"), line, other), 4.5, "two lines take turns");
    cr_expect_eq(rate(WITH("atomic.sector_words=8", "atomic.same_word=9 cycles"), line, line), 9);
    cr_expect_eq(rate(WITH("atomic.sector_words=8", "atomic.same_word=9 cycles"), line, other), 4.5);
}

/* K28: words so far from each other in turn, under a lock of 32 B, and of a line. */
Test(l2_slice, a_lock_holds_what_is_around_the_word)
{
    static const struct {
        const char *lock, *bytes;
        uint32_t offset;
        double cycles;
    } cases[] = {
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=32 B", 0, 10},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=32 B", 1, 10},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=32 B", 7, 10},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=32 B", 8, 5},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=4 B", 1, 5},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=64 B", 15, 10},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=64 B", 16, 5},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=128 B", 31, 10},
        {"atomic.line_lock=10 cycles", "atomic.lock_bytes=128 B", 32, 5},
        {"atomic.same_word=10 cycles", "atomic.lock_bytes=128 B", 1, 5},
        {"atomic.same_word=1 cycle", "atomic.line_lock=10 cycles", 31, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pattern word = {.step = 1, .count = 1};
        const struct pattern other = {
            .line = cases[i].offset / 32, .first = cases[i].offset % 32, .step = 1, .count = 1};
        cr_expect_eq(rate(WITH(cases[i].lock, cases[i].bytes), word, other), cases[i].cycles, "case %zu", i);
    }
}

/* An atomic that waits holds up those behind it at its port, and nobody at another port. */
Test(l2_slice, a_locked_word_holds_up_its_port_alone)
{
    struct memory *memory = make_memory();
    kit_block *kit = warm(memory, WITH("atomic.same_word=20 cycles"), 2);
    const struct pattern word = {.count = 1};
    add(kit, 0, word, 1, BEGIN);
    add(kit, 0, word, 2, BEGIN);
    load(kit, 0, 256, 4, 3, BEGIN * CYCLE);
    load(kit, 1, 0, 4, 4, (BEGIN + 5) * CYCLE);
    add(kit, 1, (struct pattern){.first = 1, .count = 1}, 5, BEGIN + 6);
    add(kit, 1, word, 6, BEGIN + 7);
    kit_run_until(kit, 2000 * CYCLE);
    static const uint64_t at[][2] = {{1, 0}, {4, 5}, {5, 6}, {2, 20}, {3, 21}, {6, 40}};
    for (uint32_t i = 0; i < 6; i++) {
        hd_packet *reply = next_reply(kit);
        cr_expect_eq(reply->tag, at[i][0], "reply %u", i);
        cr_expect_eq(sent_at(kit, REPLY, 8 + i), BEGIN + LATENCY + at[i][1], "reply %u", i);
        kit_free(kit, reply);
    }
    cr_expect_eq(kit_statistic(kit, "stall_cycles.atomic_word"), 4 + 13 + 18);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.atomic_line"), 0);
    cr_expect_eq(kit_statistic(kit, "atomic_cycles"), 4);
    kit_destroy(kit);
    free(memory);
}

/* Whichever port is looked at first. */
Test(l2_slice, the_first_word_that_is_free_wakes_its_port)
{
    for (uint32_t port = 0; port < 2; port++) {
        struct memory *memory = make_memory();
        kit_block *kit = warm(memory, WITH("atomic.same_word=20 cycles"), 2);
        const struct pattern early = {.count = 1}, late = {.first = 1, .count = 1};
        add(kit, port, early, 1, BEGIN);
        add(kit, 1 - port, late, 2, BEGIN + 5);
        add(kit, port, early, 3, BEGIN + 8);
        add(kit, 1 - port, late, 4, BEGIN + 8);
        cr_expect_eq(cycles_until(kit, 3), 21);
        cr_expect_eq(cycles_until(kit, 4), 26);
        kit_destroy(kit);
        free(memory);
    }
}

Test(l2_slice, waits_for_words_and_for_what_is_around_them_are_counted_apart)
{
    struct memory *memory = make_memory();
    kit_block *kit = warm(memory, WITH("atomic.same_word=30 cycles", "atomic.line_lock=10 cycles"), 1);
    add(kit, 0, (struct pattern){.count = 1}, 1, BEGIN);
    add(kit, 0, (struct pattern){.first = 1, .count = 1}, 2, BEGIN);
    add(kit, 0, (struct pattern){.count = 1}, 3, BEGIN);
    cr_expect_eq(cycles_until(kit, 3), 31);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.atomic_line"), 9);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.atomic_word"), 19);
    kit_destroy(kit);
    free(memory);
}

/* Atomics that wait for a line are carried out when it comes, and take the data port one after another from then on. */
Test(l2_slice, atomics_on_a_line_that_comes_wait_for_each_other)
{
    struct memory *memory = make_memory();
    kit_block *kit = make(memory, WITH("atomic.same_word=9 cycles"), 1);
    for (uint32_t i = 0; i < 3; i++)
        add(kit, 0, (struct pattern){.count = 1}, i, BEGIN);
    add(kit, 0, (struct pattern){.count = 1}, 3, BEGIN + 4 + LINK + MEMORY_DELAY);
    kit_run_until(kit, 2000 * CYCLE);
    for (uint32_t i = 0; i < 4; i++)
        cr_expect_eq(sent_at(kit, REPLY, i), BEGIN + LINK + MEMORY_DELAY + LATENCY + 9 * i, "%u", i);
    cr_expect_eq(kit_statistic(kit, "atomic_cycles"), 1 + 9 + 9 + 1);
    cr_expect_eq(kit_statistic(kit, "stall_cycles.atomic_word"), 8);
    kit_destroy(kit);
    free(memory);
}

/* More rounds in flight than there was room for at first; an alignment forgets them. */
Test(l2_slice, locks_are_kept_however_many_there_are)
{
    struct memory *memory = make_memory();
    kit_block *kit = warm(memory, WITH("atomic.same_word=400 cycles", "mshr_targets=64"), 1);
    for (uint32_t i = 0; i < 200; i++)
        add(kit, 0, (struct pattern){.line = i / 32, .first = i % 32, .count = 1}, i, BEGIN);
    add(kit, 0, (struct pattern){.count = 1}, 200, BEGIN);
    cr_expect_eq(cycles_until(kit, 201), 401);
    kit_destroy(kit);
    kit = warm(memory, WITH("atomic.same_word=4000 cycles"), 1);
    add(kit, 0, (struct pattern){.count = 1}, 0, BEGIN);
    kit_run_until(kit, 600 * CYCLE);
    kit_align(kit);
    load(kit, 0, 0, 4, 1, 700 * CYCLE);
    add(kit, 0, (struct pattern){.count = 1}, 2, 900);
    kit_run_until(kit, 3000 * CYCLE);
    cr_expect_eq(sent_at(kit, REPLY, 8 + 2), 900 + LATENCY);
    kit_destroy(kit);
    free(memory);
}

Test(l2_slice, a_block_under_a_lock_is_a_power_of_two)
{
    char text[256];
    cr_expect(kit_refuses(&hd_l2_slice_write_back, WITH("atomic.lock_bytes=48 B"), text, sizeof text));
    cr_expect_str_eq(text, "block: atomic.lock_bytes must be a power of two");
}

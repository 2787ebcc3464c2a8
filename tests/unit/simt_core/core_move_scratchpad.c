/* SPDX-License-Identifier: MIT */
/* Words of a scratchpad that nobody has written stay behind when a block moves. */
#include "core_courier.h"

#include <criterion/criterion.h>

#define MACHINE "context.engine=stream", "context.storage=memory", "context.bytes_per_cycle=16 B"
static const char *const whole[] = {MACHINE, NULL};
static const char *const written[] = {MACHINE, "context.scratchpad=written", NULL};
static const char *const two_entries[] = {MACHINE, "context.scratchpad=written", "context.scratchpad_entries=2", NULL};

#define BYTES 2048u

/* Each thread stores its number and 7 at words 64 + thread, and a byte at byte 1000; thread 0 adds to word 400. Then, after a wait, each
 * writes out what it finds at words 104 + thread, 64 + thread and, all the same, 250 and 400. */
#define WORDS                                                                                                          \
    {                                                                                                                  \
        csrr(T0, 0xCC0), slli(T2, T0, 2), lui(A4, HD_SCRATCHPAD_BASE), add(A4, A4, T2), addi(A0, T0, 7),               \
            sw(A0, 256, A4), lui(A5, HD_SCRATCHPAD_BASE), addi(A6, ZERO, 0x55), DELAY(100),                            \
            (1000u >> 5) << 25 | A6 << 20 | A5 << 15 | 0 << 12 | (1000u & 0x1F) << 7 | 0x23, addi(A5, A5, 1600),       \
            bne(T0, ZERO, 12), addi(A0, ZERO, 9), amoadd(ZERO, A0, A5), DELAY(1000), lui(A3, DATA), slli(T2, T0, 4),   \
            add(A3, A3, T2), lw(A0, 416, A4), sw(A0, 0, A3), lw(A0, 256, A4), sw(A0, 4, A3), lw(A0, 0, A5),            \
            sw(A0, 12, A3), addi(A5, A5, -600), lw(A0, 0, A5), sw(A0, 8, A3), ret(), 0                                 \
    }

static uint64_t of(courier *c, const char *statistic)
{
    return kit_statistic(rig_kit(c->pair->rig[0]), statistic);
}

/* What of the scratchpad moves. Where it goes on, a block of 64 threads has left words 104 to 127. */
static uint64_t move(const char *const *parameters, uint64_t *spared, uint64_t *overflows)
{
    const uint32_t words[] = WORDS, threads = 40;
    core_pair *pair = pair_create(parameters, parameters, words);
    courier *c = courier_create(pair);
    pair_launch(pair, 1, 64, BYTES);
    pair_finish(pair, 1);
    pair_launch(pair, 0, threads, BYTES);
    pair_run(pair, 1800);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
    const uint64_t bytes = c->blocks[0].size.scratchpad_bytes;
    cr_expect_eq(of(c, "context_cycles"), (hd_context_bytes(&c->blocks[0].size) + 15) / 16);
    *spared = of(c, "context_scratchpad_spared");
    *overflows = of(c, "context_scratchpad_overflows");
    courier_restore(c, 0, 1);
    pair_finish(pair, 2);
    for (uint32_t thread = 0; thread < threads; thread++) {
        const uint64_t at = DATA + 16 * thread;
        cr_expect_eq(rig_word(pair->rig[0], at), 0, "thread %u", thread);
        cr_expect_eq(rig_word(pair->rig[0], at + 4), thread + 7, "thread %u", thread);
        cr_expect_eq(rig_word(pair->rig[0], at + 8), 0x55);
        cr_expect_eq(rig_word(pair->rig[0], at + 12), 9);
    }
    courier_destroy(c);
    pair_destroy(pair);
    return bytes;
}

/* Words 64 to 103, 250 and 400: three entries of 16 B, and 42 words. */
Test(simt_core, words_that_were_not_written_do_not_move)
{
    uint64_t spared, overflows;
    cr_expect_eq(move(whole, &spared, &overflows), BYTES);
    cr_expect_eq(spared, 0);
    const uint64_t bytes = move(written, &spared, &overflows);
    cr_expect_eq(bytes, 3 * 16 + 42 * 4, "%lu", bytes);
    cr_expect_eq(spared, BYTES - bytes);
    cr_expect_eq(overflows, 0);
    cr_expect_eq(move(two_entries, &spared, &overflows), BYTES);
    cr_expect_eq(spared, 0);
    cr_expect_eq(overflows, 1);
}

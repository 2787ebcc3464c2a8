/* SPDX-License-Identifier: MIT */
/* A thread block that holds a lock when it is told to leave. */
#include "core_courier.h"

#include <criterion/criterion.h>

#define LOCK DATA

/* Instruction words: takes the lock, has it for about a thousand cycles, and goes on without it. */
#define CRITICAL                                                                                                       \
    {                                                                                                                  \
        lui(A0, LOCK), addi(T0, ZERO, 1), amoswap_acquire(T2, T0, A0), DELAY(100), amoswap_release(ZERO, ZERO, A0),    \
            DELAY(1000), ret(), 0                                                                                      \
    }

static courier *with_patience(const char *patience, uint64_t cycles)
{
    static const char *parameters[] = {"context.engine=stream", NULL, NULL};
    const uint32_t words[] = CRITICAL;
    parameters[1] = patience;
    rig_marks_locks(1);
    core_pair *pair = pair_create(parameters, parameters, words);
    rig_marks_locks(0);
    courier *c = courier_create(pair);
    pair_launch(pair, 0, 1, 0);
    pair_run(pair, cycles);
    return c;
}

static void end(courier *c)
{
    core_pair *pair = c->pair;
    courier_restore(c, 0, 1);
    pair_finish(pair, 1);
    cr_expect_eq(rig_word(pair->rig[0], LOCK), 0);
    courier_destroy(c);
    pair_destroy(pair);
}

static uint64_t count(courier *c, const char *name)
{
    return kit_statistic(rig_kit(c->pair->rig[0]), name);
}

/* Told to leave in the middle of it: whether the lock is held while the block is away, and for how long the stop has waited. */
static void expect(const char *patience, uint32_t is_held, uint64_t waits, uint64_t least, uint64_t most)
{
    courier *c = with_patience(patience, 400);
    cr_assert_eq(rig_word(c->pair->rig[0], LOCK), 1);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
    cr_expect_eq(rig_word(c->pair->rig[0], LOCK), is_held, "%s", patience);
    cr_expect_eq(count(c, "context_lock_waits"), waits, "%s", patience);
    const uint64_t cycles = count(c, "context_lock_cycles");
    cr_expect(cycles >= least && cycles <= most, "%s: %lu cycles", patience, cycles);
    cr_expect_geq(count(c, "context_stop_cycles"), cycles);
    end(c);
}

Test(simt_core, a_block_that_holds_a_lock_goes_on_as_long_as_it_may)
{
    expect("context.lock_patience=0 cycles", 1, 0, 0, 0);
    expect("context.lock_patience=50 cycles", 1, 1, 50, 50);
    expect("context.lock_patience=5000 cycles", 0, 1, 100, 2000);
}

Test(simt_core, a_block_that_has_given_its_lock_back_stops_at_once)
{
    courier *c = with_patience("context.lock_patience=5000 cycles", 3000);
    cr_assert_eq(rig_word(c->pair->rig[0], LOCK), 0);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_expect_eq(count(c, "context_lock_waits"), 0);
    end(c);
}

/* It has been told. */
Test(simt_core, a_stop_that_waits_for_a_lock_is_a_stop)
{
    courier *c = with_patience("context.lock_patience=5000 cycles", 400);
    courier_stop(c, 0);
    pair_run(c->pair, 20);
    courier_stop(c, 0);
    courier_wait(c, 0);
    cr_expect_eq(c->blocks[0].refused, 1);
    cr_expect_eq(c->blocks[0].reason, HD_REFUSED_STOPPING);
    courier_wait(c, 0);
    cr_assert_eq(c->blocks[0].place, COURIER_HERE);
    cr_expect_eq(count(c, "context_lock_waits"), 1);
    end(c);
}

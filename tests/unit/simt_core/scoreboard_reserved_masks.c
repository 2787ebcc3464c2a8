/* SPDX-License-Identifier: MIT */
/* A warp's entries of awaited registers: figure 7.6 of ElTantawy 2018, and a set that is full. */
#include <criterion/criterion.h>

#include "scoreboard_units.h"

#define R0 5u
#define R1 6u
#define R4 7u
#define EVEN 0x5u
#define ODD 0xAu

typedef struct board {
    pending_registers pending;
    hd_value values[1];
    scoreboard *state;
} board;

static const scoreboard_unit *unit = &scoreboard_reserved_masks;

static void start(board *b, uint64_t per_warp)
{
    cr_assert_eq(pending_create(&b->pending, 1), 0);
    b->values[0].u = per_warp;
    b->state = unit->create(&(scoreboard_parameters){
        .rows = 1, .lanes = 4, .paths = 4, .pending = &b->pending, .share = {.values = b->values}});
    cr_assert_not_null(b->state);
}

static void stop(board *b)
{
    unit->destroy(b->state);
    pending_destroy(&b->pending);
}

static uint64_t bits(uint32_t a, uint32_t b)
{
    return UINT64_C(1) << a | UINT64_C(1) << b;
}

/* Does it wait, for registers of its own lanes or for an entry? */
static uint32_t waits(const board *b, uint64_t mask, uint64_t reads, uint64_t writes)
{
    const scoreboard_question question = {.homes = homes_of_row(0), .mask = mask, .reads = reads, .writes = writes};
    return pending_row_conflicts(&b->pending, 0, reads | writes, mask) || unit->waits(b->state, &question);
}

Test(scoreboard_reserved_masks, lanes_wait_for_what_is_reserved_for_them)
{
    board b;
    start(&b, 8);
    pending_row_reserve(&b.pending, 0, R0, EVEN | ODD, 1); /* I0 issues, and lanes part */
    cr_expect(waits(&b, EVEN, bits(R0, R0), bits(R1, R1)));
    cr_expect_not(waits(&b, ODD, bits(R4, R4), bits(R1, R1)));
    pending_row_reserve(&b.pending, 0, R1, ODD, 1); /* I2 */
    cr_expect(waits(&b, ODD, bits(R0, R1), bits(R4, R4)));
    pending_row_release(&b.pending, 0, R0, EVEN | ODD); /* I0 is done */
    cr_expect_not(waits(&b, EVEN, bits(R0, R0), bits(R1, R1)), "R1 is awaited by the others alone");
    cr_expect(waits(&b, ODD, bits(R0, R1), bits(R4, R4)));
    pending_row_reserve(&b.pending, 0, R1, EVEN, 1); /* I1 */
    pending_row_release(&b.pending, 0, R1, ODD);     /* I2 is done */
    cr_expect_not(waits(&b, ODD, bits(R0, R1), bits(R4, R4)));
    stop(&b);
}

Test(scoreboard_reserved_masks, a_register_takes_one_entry_whatever_its_lanes)
{
    board b;
    start(&b, 2);
    pending_row_reserve(&b.pending, 0, R0, ODD, 0);
    pending_row_reserve(&b.pending, 0, R1, ODD, 1);
    cr_expect(waits(&b, EVEN, 0, bits(R4, R4)), "both are taken");
    cr_expect_not(waits(&b, EVEN, bits(R4, R4), 0), "it writes nothing");
    cr_expect_not(waits(&b, EVEN, 0, bits(R0, R0)), "the same register for other lanes");
    pending_row_release(&b.pending, 0, R1, ODD);
    cr_expect_not(waits(&b, EVEN, 0, bits(R4, R4)));
    stop(&b);
}

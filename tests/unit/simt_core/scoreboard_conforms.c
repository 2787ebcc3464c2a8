/* SPDX-License-Identifier: MIT */
/* What the contract in scoreboard.h says, of every scoreboard. Drawn results in flight are also kept by lane, in a table. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kit_random.h"
#include "scoreboard_units.h"

#define ROWS 3u
#define LANES 8u
#define PATHS 6u
#define NUMBERS 8u /* registers in use */
#define ALL 0xFFu
#define FLIGHTS 12u
#define STEPS 20000u

static const hd_unit *const units[] = {SCOREBOARD_UNITS(HD_UNIT_POINTER)};
#define UNITS (sizeof units / sizeof *units)

static const scoreboard_parameters parameters = {.rows = ROWS, .lanes = LANES, .paths = PATHS};

/* A result in flight: of lanes of one row, or of any. */
typedef struct flight {
    scoreboard_result result;
    uint32_t is_load;
    uint32_t rows[LANES];
} flight;

typedef struct model {
    flight flights[FLIGHTS];
    uint32_t count;
    uint64_t pending[ROWS][NUMBERS]; /* lanes */
} model;

static lane_homes homes_of(const flight *f, uint32_t row)
{
    return row == ROWS ? (lane_homes){.rows = f->rows} : homes_of_row(row);
}

static uint32_t row_of(lane_homes homes, uint32_t lane)
{
    return homes.rows ? homes.rows[lane] : homes.row;
}

/* Lanes of mask for which this register is pending. */
static uint64_t pending_lanes(const model *m, lane_homes homes, uint32_t number, uint64_t mask)
{
    uint64_t lanes = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        lanes |= mask & m->pending[row_of(homes, lane)][number] & UINT64_C(1) << lane;
    return lanes;
}

static uint64_t conflicts_of(const model *m, lane_homes homes, uint64_t mask)
{
    uint64_t registers = 0;
    for (uint32_t number = 0; number < NUMBERS; number++)
        registers |= (uint64_t)(pending_lanes(m, homes, number, mask) != 0) << number;
    return registers;
}

static void draw_rows(uint64_t *state, flight *f)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        f->rows[lane] = (uint32_t)(kit_random(state) % ROWS);
}

/* An instruction that has to wait for nothing issues. */
static void issue(const scoreboard_unit *unit, scoreboard *board, model *m, uint64_t *state)
{
    flight *f = &m->flights[m->count];
    draw_rows(state, f);
    f->is_load = (uint32_t)(kit_random(state) % 2);
    f->result = (scoreboard_result){.path = (uint32_t)(kit_random(state) % PATHS),
                                    .number = (uint32_t)(kit_random(state) % NUMBERS),
                                    .homes = homes_of(f, (uint32_t)(kit_random(state) % (ROWS + 1))),
                                    .mask = kit_random(state) % ALL + 1};
    const scoreboard_question question = {.path = f->result.path,
                                          .homes = f->result.homes,
                                          .mask = f->result.mask,
                                          .writes = UINT64_C(1) << f->result.number};
    if (unit->waits(board, &question))
        return;
    cr_assert_eq(pending_lanes(m, f->result.homes, f->result.number, f->result.mask), 0);
    unit->reserve(board, &f->result, f->is_load);
    for (uint32_t lane = 0; lane < LANES; lane++)
        m->pending[row_of(f->result.homes, lane)][f->result.number] |= f->result.mask & UINT64_C(1) << lane;
    m->count++;
}

/* Some of the lanes of a flight have their values, or all. */
static void arrive(const scoreboard_unit *unit, scoreboard *board, model *m, uint64_t *state)
{
    flight *f = &m->flights[kit_random(state) % m->count];
    scoreboard_result part = f->result;
    const uint64_t some = part.mask & kit_random(state);
    uint64_t left = 0;
    part.mask = some ? some : part.mask;
    for (uint32_t lane = 0; lane < LANES; lane++)
        m->pending[row_of(part.homes, lane)][part.number] &= ~(part.mask & UINT64_C(1) << lane);
    for (uint32_t lane = 0; lane < LANES; lane++)
        left |= part.mask >> lane & 1 ? m->pending[row_of(part.homes, lane)][part.number] : 0;
    cr_assert_eq(unit->release(board, &part), left);
    f->result.mask &= ~part.mask;
    if (f->result.mask)
        return;
    *f = m->flights[--m->count];
    if (f->result.homes.rows)
        f->result.homes.rows = f->rows;
}

static uint64_t pending_of(const uint64_t *pending)
{
    uint64_t registers = 0;
    for (uint32_t row = 0; row < ROWS; row++)
        registers |= pending[row];
    return registers;
}

/* It waits for a register that is pending for a lane of its own. With nothing in flight it waits for nothing, and unless the unit is
 * always asked it does not where none of its registers is pending. */
static void ask(const scoreboard_unit *unit, const scoreboard *board, const model *m, uint64_t *state)
{
    flight asker;
    draw_rows(state, &asker);
    scoreboard_question question = {.path = (uint32_t)(kit_random(state) % PATHS),
                                    .homes = homes_of(&asker, (uint32_t)(kit_random(state) % (ROWS + 1))),
                                    .mask = kit_random(state) % ALL + 1,
                                    .reads = kit_random(state) % (1u << NUMBERS),
                                    .writes = UINT64_C(1) << kit_random(state) % NUMBERS};
    const uint64_t conflicts = conflicts_of(m, question.homes, question.mask) & (question.reads | question.writes);
    const uint32_t stall = unit->waits(board, &question);
    const uint64_t pending = pending_of(unit->pending(board));
    cr_assert(stall || !conflicts);
    cr_assert(!stall || pending, "nothing is in flight");
    cr_assert(!stall || unit->always_asked || pending & (question.reads | question.writes));
    cr_assert(unit != &scoreboard_register_dependence || (stall != 0) == (conflicts != 0), "for these alone");
    cr_assert(!stall || stall == PATH_STALL_RESULT || stall == PATH_STALL_DATA);
    cr_assert_eq(unit->waits(board, &question), stall, "asking changes nothing");
    question.in_flight = 1;
    cr_assert(unit->always_asked || unit->waits(board, &question) == stall);
}

static void expect_pending(const uint64_t *pending, const model *m)
{
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t number = 0; number < NUMBERS; number++)
            cr_assert_eq(pending[row] >> number & 1, m->pending[row][number] != 0);
}

Test(scoreboard_conforms, waits_for_lanes_of_its_own_and_for_no_others)
{
    for (size_t i = 0; i < UNITS; i++) {
        const scoreboard_unit *unit = units[i]->functions;
        uint64_t state = 20180702 + i;
        scoreboard *board = unit->create(&parameters);
        model m = {.count = 0};
        cr_assert_not_null(board);
        fprintf(stderr, "%s: seed %lu\n", units[i]->name, (unsigned long)state);
        unit->reset(board);
        for (uint32_t step = 0; step < STEPS; step++) {
            if (m.count < FLIGHTS && (!m.count || kit_random(&state) % 2))
                issue(unit, board, &m, &state);
            else if (m.count)
                arrive(unit, board, &m, &state);
            ask(unit, board, &m, &state);
            expect_pending(unit->pending(board), &m);
        }
        unit->destroy(board);
    }
}

Test(scoreboard_conforms, a_reset_forgets_every_row)
{
    for (size_t i = 0; i < UNITS; i++) {
        const scoreboard_unit *unit = units[i]->functions;
        scoreboard *board = unit->create(&parameters);
        const uint64_t *pending = unit->pending(board);
        for (uint32_t row = 0; row < ROWS; row++)
            unit->reserve(board, &(scoreboard_result){.number = 7, .homes = homes_of_row(row), .mask = 0x3}, row & 1);
        unit->reset(board);
        cr_expect_eq(unit->pending(board), pending, "where it is, is fixed");
        for (uint32_t row = 0; row < ROWS; row++) {
            const scoreboard_result first = {.number = 7, .homes = homes_of_row(row), .mask = 0x1};
            cr_expect_eq(pending[row], 0, "row %u", row);
            unit->reserve(board, &first, 0);
            cr_expect_eq(
                unit->waits(board,
                            &(scoreboard_question){.homes = homes_of_row(row), .mask = 0x1, .reads = UINT64_C(1) << 7}),
                PATH_STALL_RESULT, "no load is left of before");
            cr_expect_eq(unit->release(board, &first), 0, "row %u", row);
        }
        unit->destroy(board);
    }
}

Test(scoreboard_conforms, instances_share_nothing)
{
    for (size_t i = 0; i < UNITS; i++) {
        const scoreboard_unit *unit = units[i]->functions;
        scoreboard *one = unit->create(&parameters), *other = unit->create(&parameters);
        unit->reserve(one, &(scoreboard_result){.number = 3, .homes = homes_of_row(1), .mask = ALL}, 1);
        cr_expect_eq(unit->pending(one)[1], 1u << 3);
        cr_expect_eq(unit->pending(other)[1], 0);
        unit->destroy(one);
        unit->destroy(other);
    }
}

/* SPDX-License-Identifier: MIT */
/* What the contract in scoreboard.h says, of every scoreboard, and what the core keeps of results in flight. Those are drawn, and
 * are also kept by lane, in a table. */
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
#define VALUES_MAX 8u /* parameters of a unit */
#define PLENTY 64u
#define UNITS (sizeof units / sizeof *units)

/* A scoreboard, told of what is in flight and asked as the core does. */
typedef struct board {
    const scoreboard_unit *unit;
    scoreboard *state;
    pending_registers pending;
} board;

static board create(const scoreboard_unit *unit)
{
    board b = {.unit = unit};
    cr_assert_eq(pending_create(&b.pending, ROWS), 0);
    return b;
}

/* Apart: what the unit is given must stay where it is. */
static void create_state(board *b)
{
    static hd_value values[VALUES_MAX];
    static uint64_t counters[VALUES_MAX];
    for (uint32_t i = 0; i < VALUES_MAX; i++)
        values[i].u = PLENTY;
    const scoreboard_parameters parameters = {.rows = ROWS,
                                              .lanes = LANES,
                                              .paths = PATHS,
                                              .pending = &b->pending,
                                              .share = {.values = values, .counters = counters}};
    b->state = b->unit->create ? b->unit->create(&parameters) : NULL;
    cr_assert(b->state || !b->unit->create);
}

static void reset(board *b)
{
    pending_reset(&b->pending);
    if (b->unit->reset)
        b->unit->reset(b->state);
}

static void destroy(board *b)
{
    pending_destroy(&b->pending);
    if (b->unit->destroy)
        b->unit->destroy(b->state);
}

static void reserve(board *b, const scoreboard_result *result, uint32_t is_load)
{
    pending_reserve(&b->pending, result->homes, result->number, result->mask, is_load);
    if (b->unit->reserved)
        b->unit->reserved(b->state, result, is_load);
}

static uint64_t release(board *b, const scoreboard_result *result)
{
    const uint64_t awaited = pending_release(&b->pending, result->homes, result->number, result->mask);
    if (b->unit->released)
        b->unit->released(b->state, result);
    return awaited;
}

static uint64_t conflicts_with(const board *b, const scoreboard_question *question)
{
    return pending_conflicts(&b->pending, question->homes, question->reads | question->writes, question->mask);
}

static uint32_t waits(const board *b, const scoreboard_question *question)
{
    const uint64_t conflicts = conflicts_with(b, question);
    if (conflicts)
        return pending_loads(&b->pending, question->homes, conflicts, question->mask) ? PATH_STALL_DATA
                                                                                      : PATH_STALL_RESULT;
    return b->unit->waits ? b->unit->waits(b->state, question) : 0;
}

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
static void issue(board *b, model *m, uint64_t *state)
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
    if (waits(b, &question))
        return;
    cr_assert_eq(pending_lanes(m, f->result.homes, f->result.number, f->result.mask), 0);
    reserve(b, &f->result, f->is_load);
    for (uint32_t lane = 0; lane < LANES; lane++)
        m->pending[row_of(f->result.homes, lane)][f->result.number] |= f->result.mask & UINT64_C(1) << lane;
    m->count++;
}

/* Some of the lanes of a flight have their values, or all. */
static void arrive(board *b, model *m, uint64_t *state)
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
    cr_assert_eq(release(b, &part), left);
    f->result.mask &= ~part.mask;
    if (f->result.mask)
        return;
    *f = m->flights[--m->count];
    if (f->result.homes.rows)
        f->result.homes.rows = f->rows;
}

/* Registers that are pending in some row. */
static uint64_t pending_anywhere(const board *b)
{
    uint64_t registers = 0;
    for (uint32_t row = 0; row < ROWS; row++)
        registers |= b->pending.any[row];
    return registers;
}

/* It waits for a register that is pending for a lane of its own. With nothing in flight it waits for nothing, and unless the unit is
 * always asked it does not where none of its registers is pending. */
static void ask(const board *b, const model *m, uint64_t *state)
{
    flight asker;
    draw_rows(state, &asker);
    scoreboard_question question = {.path = (uint32_t)(kit_random(state) % PATHS),
                                    .homes = homes_of(&asker, (uint32_t)(kit_random(state) % (ROWS + 1))),
                                    .mask = kit_random(state) % ALL + 1,
                                    .reads = kit_random(state) % (1u << NUMBERS),
                                    .writes = UINT64_C(1) << kit_random(state) % NUMBERS};
    const uint64_t registers = question.reads | question.writes;
    const uint64_t conflicts = conflicts_of(m, question.homes, question.mask) & registers;
    const uint32_t stall = waits(b, &question);
    cr_assert_eq(conflicts_with(b, &question), conflicts);
    cr_assert(!stall || pending_anywhere(b), "nothing is in flight");
    cr_assert(!stall || b->unit->always_asked || pending_anywhere(b) & registers);
    cr_assert(b->unit != &scoreboard_register_dependence || (stall != 0) == (conflicts != 0), "for these alone");
    cr_assert(!stall || stall == PATH_STALL_RESULT || stall == PATH_STALL_DATA);
    cr_assert_eq(waits(b, &question), stall, "asking changes nothing");
    question.in_flight = 1;
    cr_assert(b->unit->always_asked || waits(b, &question) == stall);
}

static void expect_pending(const board *b, const model *m)
{
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t number = 0; number < NUMBERS; number++)
            cr_assert_eq(b->pending.any[row] >> number & 1, m->pending[row][number] != 0);
}

Test(scoreboard_conforms, waits_for_lanes_of_its_own_and_for_no_others)
{
    for (size_t i = 0; i < UNITS; i++) {
        uint64_t state = 20180702 + i;
        board b = create(units[i]->functions);
        model m = {.count = 0};
        fprintf(stderr, "%s: seed %lu\n", units[i]->name, (unsigned long)state);
        create_state(&b);
        reset(&b);
        for (uint32_t step = 0; step < STEPS; step++) {
            if (m.count < FLIGHTS && (!m.count || kit_random(&state) % 2))
                issue(&b, &m, &state);
            else if (m.count)
                arrive(&b, &m, &state);
            ask(&b, &m, &state);
            expect_pending(&b, &m);
        }
        destroy(&b);
    }
}

Test(scoreboard_conforms, a_reset_forgets_every_row)
{
    for (size_t i = 0; i < UNITS; i++) {
        board b = create(units[i]->functions);
        create_state(&b);
        for (uint32_t row = 0; row < ROWS; row++)
            reserve(&b, &(scoreboard_result){.number = 7, .homes = homes_of_row(row), .mask = 0x3}, row & 1);
        reset(&b);
        for (uint32_t row = 0; row < ROWS; row++) {
            const scoreboard_result first = {.number = 7, .homes = homes_of_row(row), .mask = 0x1};
            const scoreboard_question question = {.homes = first.homes, .mask = 0x1, .reads = UINT64_C(1) << 7};
            cr_expect_eq(b.pending.any[row], 0, "row %u", row);
            cr_expect_eq(waits(&b, &question), 0, "row %u", row);
            reserve(&b, &first, 0);
            cr_expect_eq(waits(&b, &question), PATH_STALL_RESULT, "no load is left of before");
            cr_expect_eq(release(&b, &first), 0, "row %u", row);
        }
        destroy(&b);
    }
}

Test(scoreboard_conforms, instances_share_nothing)
{
    for (size_t i = 0; i < UNITS; i++) {
        board one = create(units[i]->functions), other = create(units[i]->functions);
        const scoreboard_question question = {.homes = homes_of_row(1), .mask = ALL, .writes = UINT64_C(1) << 3};
        create_state(&one);
        create_state(&other);
        reserve(&one, &(scoreboard_result){.number = 3, .homes = homes_of_row(1), .mask = ALL}, 1);
        cr_expect_eq(waits(&one, &question), PATH_STALL_DATA);
        cr_expect_eq(waits(&other, &question), 0);
        destroy(&one);
        destroy(&other);
    }
}

/* What a unit of a plug-in is held against (units.c of the tests of plug-ins): nothing it has been given is leaked, and none is
 * asked to forget what it never had. */
Test(scoreboard_conforms, state_is_created_and_destroyed_or_there_is_none)
{
    static const hd_unit_function needs[] = {SCOREBOARD_FUNCTIONS};
    static const struct {
        const char *name;
        uint32_t with;
    } expected[] = {{"destroy", offsetof(scoreboard_unit, create)},
                    {"create", offsetof(scoreboard_unit, destroy)},
                    {"create", offsetof(scoreboard_unit, reset)}};
    cr_assert_eq(sizeof needs / sizeof *needs, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        cr_expect_str_eq(needs[i].name, expected[i].name);
        cr_expect_eq(needs[i].with, expected[i].with, "row %zu", i);
    }
}

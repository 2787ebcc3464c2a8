/* SPDX-License-Identifier: MIT */
/* AWARE with tables smaller than a warp: what is spilled, what is fetched, and that a warp waits for it. */
#include <criterion/criterion.h>

#include "aware/aware.h"
#include "aware/storage.h"
#include "reconvergence_rig.h"

#define LANES 4u
#define A 0x1000u
#define B 0x1100u
#define C 0x1200u
#define D 0x1300u

/* A memory that answers when it is told to. */
typedef struct slow_memory {
    uint32_t room;
    uint32_t reads, writes;
    uint32_t last_read; /* tag */
} slow_memory;

static uint32_t has_room(const void *context)
{
    return ((const slow_memory *)context)->room;
}

static void begin(void *context, uint32_t warp, uint32_t place, uint32_t writes, uint32_t tag)
{
    slow_memory *m = context;
    cr_expect_eq(warp, 0);
    cr_expect_lt(place, RECONVERGENCE_MEMORY_BYTES);
    m->reads += !writes;
    m->writes += writes;
    m->last_read = writes ? m->last_read : tag;
    m->room--;
}

static void ignore(void *context, uint32_t path)
{
    (void)context, (void)path;
}

typedef struct small_tables {
    slow_memory slow;
    reconvergence_memory memory;
    uint64_t counters[AWARE_STATISTICS];
    hd_value values[AWARE_PARAMETERS];
    reconvergence *state;
} small_tables;

static const reconvergence_unit *unit = &reconvergence_aware;

static void start(small_tables *s, uint32_t splits, uint32_t meetings)
{
    static const uint64_t all[] = {(1u << LANES) - 1};
    static const uint32_t slot[] = {0};
    *s = (small_tables){.values = {[AWARE_ROTATE] = {.u = AWARE_ROTATE_ALL},
                                   [AWARE_SPLITS] = {.u = splits},
                                   [AWARE_MEETINGS] = {.u = meetings}}};
    s->memory = (reconvergence_memory){.context = &s->slow, .has_room = has_room, .access = begin};
    s->state = unit->create(
        &(reconvergence_parameters){
            .warps = 1, .lanes = LANES, .share = {.values = s->values, .counters = s->counters}, .memory = &s->memory},
        &(reconvergence_events){.added = ignore, .changed = ignore, .removed = ignore});
    unit->launch(s->state, &(block_warps){slot, 1}, A, all);
}

static const path *path_of(const small_tables *s)
{
    return unit->paths(s->state);
}

static void part(const small_tables *s, uint32_t first, uint64_t lanes, uint32_t other, uint32_t meeting)
{
    const path_group groups[] = {{lanes, first, 0}, {path_of(s)->mask & ~lanes, other, 0}};
    tell_transfer(unit, s->state, 0, groups, 2, meeting);
}

/* What waits goes to memory, which then has room for no more. */
static void give_room(small_tables *s, uint32_t room)
{
    s->slow.room = room;
    if (unit->next(s->state, 7) == 8)
        unit->due(s->state, 8);
    s->slow.room = 0;
}

Test(reconvergence_aware_tables, the_split_that_comes_last_is_spilled_and_fetched_when_it_is_its_turn)
{
    small_tables s;
    start(&s, 1, 0);
    part(&s, C, 0xA, B, D);
    cr_assert(path_of(&s)->pc == B && path_of(&s)->mask == 0x5);
    cr_expect_eq(s.counters[AWARE_SPLIT_SPILLS], 1);
    cr_expect_eq(unit->next(s.state, 7), 8, "it is still in the buffer");
    give_room(&s, 1);
    cr_expect_eq(s.slow.writes, 1);
    cr_expect_eq(unit->next(s.state, 7), UINT64_MAX);
    unit->paths(s.state)->pc = D;
    tell_arrive(unit, s.state, 0);
    cr_assert_eq(path_of(&s)->mask, 0, "the other one is in memory");
    give_room(&s, 1);
    cr_expect_eq(s.slow.reads, 1);
    unit->accessed(s.state, 0, s.slow.last_read);
    cr_assert(path_of(&s)->pc == C && path_of(&s)->mask == 0xA);
    cr_expect_eq(s.counters[AWARE_SPLIT_FILLS], 1);
    unit->destroy(s.state);
}

Test(reconvergence_aware_tables, a_warp_waits_for_the_entry_to_which_its_lanes_have_come)
{
    small_tables s;
    start(&s, 0, 1);
    part(&s, B, 0x1, C, D);               /* its entry makes room */
    part(&s, C + 8, 0x2, C + 16, C + 32); /* for that of the second branch */
    cr_expect_eq(s.counters[AWARE_MEETING_SPILLS], 1);
    cr_assert_eq(path_of(&s)->pc, B);
    give_room(&s, 1);
    unit->paths(s.state)->pc = D;
    tell_arrive(unit, s.state, 0);
    cr_assert_eq(path_of(&s)->mask, 0, "D is in memory");
    give_room(&s, 1);
    cr_assert_eq(path_of(&s)->mask, 0);
    unit->accessed(s.state, 0, s.slow.last_read);
    cr_assert_neq(path_of(&s)->mask, 0);
    cr_expect_eq(s.counters[AWARE_MEETING_FILLS], 1);
    unit->destroy(s.state);
}

Test(reconvergence_aware_tables, no_more_than_one_entry_of_a_table_waits_to_be_spilled)
{
    small_tables s;
    start(&s, 1, 0);
    part(&s, B, 0x3, C, D);
    part(&s, C + 8, 0x4, C + 16, D);
    cr_assert_eq(path_of(&s)->mask, 0);
    cr_expect_geq(s.counters[AWARE_SPLIT_SPILLS], 2);
    give_room(&s, 1);
    cr_expect_neq(unit->next(s.state, 7), UINT64_MAX);
    give_room(&s, 4);
    if (!path_of(&s)->mask)
        unit->accessed(s.state, 0, s.slow.last_read);
    cr_assert_neq(path_of(&s)->mask, 0);
    unit->destroy(s.state);
}

Test(reconvergence_aware_tables, take_the_published_bits)
{
    cr_expect_eq(storage_stack(32, 32), 3072);
    cr_expect_eq(storage_stack(32, storage_index_bits(32)), 480);
    cr_expect_eq(storage_whole_tables(32), 7680);
    cr_expect_eq(storage_small_tables(1, 1), 1088);
    cr_expect_eq(storage_small_tables(6, 2), 1696);
    cr_expect_eq(storage_small_tables(4, 2), 1504, "about a fifth of the whole tables");
}

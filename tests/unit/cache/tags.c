/* SPDX-License-Identifier: MIT */
/* Tags against a list of what lies where. */
#include "cache_tags.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "kit_random.h"

enum { SETS = 4, WAYS = 4, LINES = 64, STEPS = 20000 };

static const hd_unit *const policies[] = {REPLACEMENT_UNITS(HD_UNIT_POINTER)};

static int create(cache_tags *t, uint32_t sets, uint32_t ways, uint32_t set_hash, const replacement_unit *policy)
{
    return cache_tags_create(t, set_hash, policy, &(replacement_parameters){.sets = sets, .ways = ways});
}

/* Where each line lies, and since when it was not used; CACHE_NO_PLACE: nowhere. */
typedef struct model {
    uint32_t place[LINES];
    uint64_t used[LINES];
    uint8_t kept[SETS * WAYS];
    uint64_t now;
} model;

static uint64_t tag_of(uint32_t line)
{
    return (uint64_t)line * 128 | line % 3;
}

static uint32_t line_at(const model *m, uint32_t place)
{
    for (uint32_t line = 0; line < LINES; line++)
        if (m->place[line] == place)
            return line;
    return LINES;
}

static void expect_same(const cache_tags *t, const model *m)
{
    for (uint32_t line = 0; line < LINES; line++)
        cr_assert_eq(cache_tags_find(t, cache_tags_set(t, line), tag_of(line)), m->place[line]);
    for (uint32_t place = 0; place < SETS * WAYS; place++)
        cr_assert_eq(cache_tags_is_empty(t, place), line_at(m, place) == LINES);
}

/* The first empty place that is not kept; else, of lru, the line that was not used for longest. */
static uint32_t expected_room(const model *m, uint32_t first)
{
    uint32_t oldest = CACHE_NO_PLACE;
    for (uint32_t place = first; place < first + WAYS; place++)
        if (!m->kept[place] && line_at(m, place) == LINES)
            return place;
    for (uint32_t place = first; place < first + WAYS; place++)
        if (!m->kept[place] && (oldest == CACHE_NO_PLACE || m->used[line_at(m, place)] < m->used[line_at(m, oldest)]))
            oldest = place;
    return oldest;
}

static void put(cache_tags *t, model *m, uint32_t line)
{
    const uint32_t first = cache_tags_set(t, line), room = cache_tags_room(t, first);
    cr_assert_eq(room, expected_room(m, first));
    cr_assert_eq(cache_tags_room(t, first), room, "to ask changes nothing");
    if (room == CACHE_NO_PLACE)
        return;
    const uint32_t leaves = line_at(m, room);
    if (leaves != LINES)
        m->place[leaves] = CACHE_NO_PLACE;
    cache_tags_put(t, room, tag_of(line));
    m->place[line] = room;
    m->used[line] = ++m->now;
}

static void step(cache_tags *t, model *m, uint64_t *seed)
{
    const uint32_t line = (uint32_t)(kit_random(seed) % LINES), place = (uint32_t)(kit_random(seed) % (SETS * WAYS));
    const uint64_t what = kit_random(seed) % 16;
    if (what < 2) {
        m->kept[place] = what == 0;
        (what == 0 ? cache_tags_keep : cache_tags_let_go)(t, place);
    } else if (what == 2 && line_at(m, place) != LINES) {
        m->place[line_at(m, place)] = CACHE_NO_PLACE;
        cache_tags_clear(t, place);
    } else if (m->place[line] != CACHE_NO_PLACE) {
        cache_tags_use(t, m->place[line]);
        m->used[line] = ++m->now;
    } else {
        put(t, m, line);
    }
}

Test(cache_tags, hold_what_was_put_there_and_give_up_the_rest)
{
    static model m;
    cache_tags t;
    uint64_t seed = 1;
    for (uint32_t line = 0; line < LINES; line++)
        m.place[line] = CACHE_NO_PLACE;
    cr_assert_eq(create(&t, SETS, WAYS, CACHE_XOR, &replacement_lru), 0);
    cr_expect_eq(t.places, SETS * WAYS);
    for (uint32_t i = 0; i < STEPS; i++) {
        step(&t, &m, &seed);
        expect_same(&t, &m);
    }
    cache_tags_destroy(&t);
}

/* Ways that are kept can be any number of a set, with lines or without, whatever the policy. */
Test(cache_tags, never_put_anything_into_a_way_that_is_kept)
{
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
        for (uint32_t kept = 0; kept < 1u << WAYS; kept++) {
            cache_tags t;
            cr_assert_eq(create(&t, SETS, WAYS, CACHE_LINEAR, policies[p]->functions), 0);
            for (uint32_t way = 0; way < WAYS; way++)
                if (kept >> way & 1)
                    cache_tags_keep(&t, 2 * WAYS + way);
            for (uint32_t i = 0; i < 20; i++) {
                const uint32_t room = cache_tags_room(&t, 2 * WAYS);
                if (kept == (1u << WAYS) - 1) {
                    cr_assert_eq(room, CACHE_NO_PLACE, "%s", policies[p]->name);
                    break;
                }
                cr_assert_eq(room / WAYS, 2);
                cr_assert_not(kept >> room % WAYS & 1, "%s", policies[p]->name);
                cache_tags_put(&t, room, i);
            }
            cache_tags_destroy(&t);
        }
}

Test(cache_tags, reset_forgets_lines_locks_and_order)
{
    cache_tags t;
    cr_assert_eq(create(&t, 1, WAYS, CACHE_LINEAR, &replacement_random), 0);
    uint32_t victims[2][40];
    for (uint32_t round = 0; round < 2; round++) {
        cache_tags_reset(&t, 5);
        for (uint32_t i = 0; i < 40; i++) {
            cr_expect_eq(cache_tags_find(&t, 0, i), CACHE_NO_PLACE);
            victims[round][i] = cache_tags_room(&t, 0);
            cr_expect(i >= WAYS || victims[round][i] == i, "empty ways first");
            cache_tags_put(&t, victims[round][i], i);
        }
        cache_tags_keep(&t, 1);
    }
    cr_expect_arr_eq(victims[0], victims[1], sizeof victims[0]);
    cache_tags_destroy(&t);
}

Test(cache_tags, tags_that_differ_in_their_lowest_bits_are_different_lines)
{
    cache_tags t;
    cr_assert_eq(create(&t, 1, 2, CACHE_LINEAR, &replacement_lru), 0);
    cache_tags_put(&t, 0, 0x1000 | 1);
    cache_tags_put(&t, 1, 0x1000 | 2);
    cr_expect_eq(cache_tags_find(&t, 0, 0x1000 | 1), 0);
    cr_expect_eq(cache_tags_find(&t, 0, 0x1000 | 2), 1);
    cr_expect_eq(cache_tags_find(&t, 0, 0x1000), CACHE_NO_PLACE);
    cache_tags_destroy(&t);
}

/* ---- A policy that answers what it may not -------------------------------------------------------------------------------- */

static uint32_t answer, faults;
static char fault_text[256];

static replacement *wrong_create(const replacement_parameters *parameters)
{
    return parameters->ways ? (replacement *)&answer : NULL;
}

static void wrong_destroy(replacement *unit)
{
    cr_assert_eq((void *)unit, (void *)&answer);
}

static void wrong_reset(replacement *unit, uint64_t seed)
{
    (void)unit, (void)seed;
}

static void wrong_hear(replacement *unit, uint32_t line)
{
    (void)unit, (void)line;
}

static uint32_t wrong_victim(const replacement *unit, uint32_t first, const uint8_t *stays)
{
    (void)first, (void)stays;
    return *(const uint32_t *)unit;
}

static const replacement_unit wrong = {.create = wrong_create,
                                       .destroy = wrong_destroy,
                                       .reset = wrong_reset,
                                       .installed = wrong_hear,
                                       .used = wrong_hear,
                                       .victim = wrong_victim};

static void keep_fault(void *context, hd_time t, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void keep_fault(void *context, hd_time t, const char *format, ...)
{
    va_list arguments;
    cr_expect(context == &answer && t == 0, "it is the first of all");
    faults++;
    va_start(arguments, format);
    vsnprintf(fault_text, sizeof fault_text, format, arguments);
    va_end(arguments);
}

/* The second set of two holds lines 4 to 7; the first way of it is kept. */
static uint32_t room_after(uint32_t victim, uint32_t kept)
{
    const hd_services services = {.name = "l2[3]", .context = &answer, .fault = keep_fault};
    const replacement_parameters parameters = {.sets = 2, .ways = WAYS, .share = {.services = &services}};
    cache_tags t;
    answer = victim;
    faults = 0;
    cr_assert_eq(cache_tags_create(&t, CACHE_LINEAR, &wrong, &parameters), 0);
    for (uint32_t place = WAYS; place < 2 * WAYS; place++) {
        cache_tags_put(&t, place, place);
        if (kept >> (place - WAYS) & 1)
            cache_tags_keep(&t, place);
    }
    const uint32_t room = cache_tags_room(&t, WAYS);
    cache_tags_destroy(&t);
    return room;
}

Test(cache_tags, a_policy_that_names_no_line_that_may_go_ends_the_run)
{
    static const uint32_t victims[] = {0, 3, 4, 8, 100000, NO_VICTIM};
    for (size_t i = 0; i < sizeof victims / sizeof *victims; i++) {
        char expected[256];
        cr_expect_eq(room_after(victims[i], 1), 5, "the first line that may");
        snprintf(expected, sizeof expected,
                 "l2[3]: the replacement policy answers %u, which is no line of the set from 4 to 7 that may go",
                 victims[i]);
        cr_expect_eq(faults, 1, "%u", victims[i]);
        cr_expect_str_eq(fault_text, expected);
    }
    for (uint32_t victim = 5; victim < 8; victim++) {
        cr_expect_eq(room_after(victim, 1), victim);
        cr_expect_eq(faults, 0);
    }
    cr_expect_eq(room_after(NO_VICTIM, 15), CACHE_NO_PLACE);
    cr_expect_eq(faults, 0, "all of them stay");
    cr_expect_eq(room_after(6, 15), CACHE_NO_PLACE);
    cr_expect_eq(faults, 1);
}

/* SPDX-License-Identifier: MIT */
/* Each policy against a model of its own kind: lists for lru and fifo, a recursive tree for plru, counts for random. */
#include "replacement_units.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit_random.h"

enum { SETS = 3, WAYS = 8, STEPS = 20000 };

static const uint8_t none_stays[WAYS];

static const hd_unit *const listed[] = {REPLACEMENT_UNITS(HD_UNIT_POINTER)};
enum { UNITS = sizeof listed / sizeof *listed };

static const replacement_unit *functions_of(size_t unit)
{
    return listed[unit]->functions;
}

/* ---- The models ---------------------------------------------------------------------------------------------------- */

/* Ways of a set, the next to go first; those that must stay are passed over. */
typedef struct queue_model {
    uint32_t order[SETS][WAYS];
} queue_model;

static void move_to_end(queue_model *model, uint32_t set, uint32_t way)
{
    uint32_t *order = model->order[set];
    uint32_t at = 0;
    while (order[at] != way)
        at++;
    memmove(&order[at], &order[at + 1], (WAYS - 1 - at) * sizeof *order);
    order[WAYS - 1] = way;
}

/* Of the half that was used longer ago, the half that was used longer ago, and so on. */
typedef struct tree_model {
    uint32_t upper_is_next[SETS][WAYS][WAYS]; /* by the first way and the number of ways of the part */
} tree_model;

static void tree_used(tree_model *model, uint32_t set, uint32_t first, uint32_t count, uint32_t way)
{
    if (count == 1)
        return;
    const uint32_t half = count / 2;
    const uint32_t is_upper = way >= first + half;
    model->upper_is_next[set][first][count - 1] = !is_upper;
    tree_used(model, set, is_upper ? first + half : first, half, way);
}

static uint32_t tree_victim(const tree_model *model, uint32_t set, uint32_t first, uint32_t count)
{
    if (count == 1)
        return first;
    const uint32_t half = count / 2;
    return tree_victim(model, set, model->upper_is_next[set][first][count - 1] ? first + half : first, half);
}

static uint32_t queue_victim(const queue_model *model, uint32_t set, const uint8_t *stays)
{
    for (uint32_t i = 0; i < WAYS; i++)
        if (!stays[model->order[set][i]])
            return set * WAYS + model->order[set][i];
    return NO_VICTIM;
}

/* ---- Comparisons ---------------------------------------------------------------------------------------------------- */

static replacement *filled(const replacement_unit *unit)
{
    replacement *made = unit->create(&(replacement_parameters){.sets = SETS, .ways = WAYS});
    unit->reset(made, 7);
    for (uint32_t line = 0; line < SETS * WAYS; line++)
        unit->installed(made, line);
    return made;
}

/* Every third time some must stay, every thirtieth all of them. */
static const uint8_t *who_stays(uint64_t *seed, uint8_t *stays)
{
    const uint64_t kind = kit_random(seed) % 30;
    for (uint32_t way = 0; way < WAYS; way++)
        stays[way] = kind == 0 || (kind < 10 && kit_random(seed) % 2);
    return stays;
}

static void compare_with_queue(const replacement_unit *unit, uint32_t moves_on_use)
{
    replacement *made = filled(unit);
    queue_model model;
    for (uint32_t set = 0; set < SETS; set++)
        for (uint32_t way = 0; way < WAYS; way++)
            model.order[set][way] = way;
    uint64_t seed = 1;
    for (uint32_t i = 0; i < STEPS; i++) {
        uint8_t stays[WAYS];
        const uint32_t set = (uint32_t)(kit_random(&seed) % SETS), way = (uint32_t)(kit_random(&seed) % WAYS);
        if (kit_random(&seed) % 2) {
            unit->used(made, set * WAYS + way);
            if (moves_on_use)
                move_to_end(&model, set, way);
            continue;
        }
        const uint32_t victim = unit->victim(made, set * WAYS, who_stays(&seed, stays));
        cr_assert_eq(victim, queue_victim(&model, set, stays), "step %u", i);
        if (victim == NO_VICTIM)
            continue;
        unit->installed(made, victim);
        move_to_end(&model, set, victim % WAYS);
    }
    unit->destroy(made);
}

Test(replacement, lru_gives_up_what_was_not_used_for_longest)
{
    compare_with_queue(&replacement_lru, 1);
}

Test(replacement, fifo_gives_up_what_came_first)
{
    compare_with_queue(&replacement_fifo, 0);
}

/* Where the tree points to a way that must stay, the next one goes that need not. */
static uint32_t tree_choice(const tree_model *model, uint32_t set, const uint8_t *stays)
{
    const uint32_t way = tree_victim(model, set, 0, WAYS);
    for (uint32_t i = 0; i < WAYS; i++)
        if (!stays[(way + i) % WAYS])
            return set * WAYS + (way + i) % WAYS;
    return NO_VICTIM;
}

Test(replacement, plru_follows_its_tree)
{
    replacement *made = filled(&replacement_plru);
    static tree_model model;
    for (uint32_t set = 0; set < SETS; set++)
        for (uint32_t way = 0; way < WAYS; way++)
            tree_used(&model, set, 0, WAYS, way);
    uint64_t seed = 2;
    for (uint32_t i = 0; i < STEPS; i++) {
        uint8_t stays[WAYS];
        const uint32_t set = (uint32_t)(kit_random(&seed) % SETS);
        uint32_t line = set * WAYS + (uint32_t)(kit_random(&seed) % WAYS);
        if (kit_random(&seed) % 2) {
            replacement_plru.used(made, line);
        } else {
            line = replacement_plru.victim(made, set * WAYS, who_stays(&seed, stays));
            cr_assert_eq(line, tree_choice(&model, set, stays), "step %u", i);
            if (line == NO_VICTIM)
                continue;
            replacement_plru.installed(made, line);
        }
        tree_used(&model, set, 0, WAYS, line % WAYS);
    }
    replacement_plru.destroy(made);
}

/* How often each of `choices` ways went, of STEPS times; six standard deviations of a binomial distribution. */
static void expect_even(const uint8_t *stays, uint32_t choices)
{
    replacement *made = filled(&replacement_random);
    uint32_t counts[WAYS] = {0};
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint32_t first = i % SETS * WAYS, victim = replacement_random.victim(made, first, stays);
        cr_assert_eq(victim / WAYS, i % SETS);
        replacement_random.installed(made, victim);
        counts[victim % WAYS]++;
    }
    const int mean = STEPS / (int)choices, deviation = (int)sqrt(mean * (1 - 1.0 / choices));
    for (uint32_t way = 0; way < WAYS; way++)
        if (stays[way])
            cr_expect_eq(counts[way], 0);
        else
            cr_expect(abs((int)counts[way] - mean) < 6 * deviation, "way %u: %u of %u", way, counts[way], STEPS);
    replacement_random.destroy(made);
}

Test(replacement, random_gives_up_each_way_as_often)
{
    expect_even(none_stays, WAYS);
    expect_even((const uint8_t[WAYS]){1, 0, 1, 1, 0, 0, 0, 1}, 4);
    expect_even((const uint8_t[WAYS]){0, 1, 0, 0, 1, 1, 0, 1}, 4);
}

Test(replacement, random_gives_up_none_if_all_must_stay)
{
    static const uint8_t all[WAYS] = {1, 1, 1, 1, 1, 1, 1, 1};
    replacement *made = filled(&replacement_random);
    cr_expect_eq(replacement_random.victim(made, WAYS, all), NO_VICTIM);
    replacement_random.destroy(made);
}

Test(replacement, to_ask_changes_nothing)
{
    for (size_t u = 0; u < UNITS; u++) {
        const replacement_unit *unit = functions_of(u);
        replacement *made = filled(unit);
        for (uint32_t i = 0; i < 100; i++) {
            const uint32_t victim = unit->victim(made, WAYS, none_stays);
            unit->victim(made, 0, none_stays);
            cr_assert_eq(unit->victim(made, WAYS, none_stays), victim, "%s", listed[u]->name);
            unit->installed(made, victim);
        }
        unit->destroy(made);
    }
}

/* What the units of the list draw from a stream is what they say. */
Test(replacement, the_seed_decides_where_one_is_drawn)
{
    for (size_t u = 0; u < UNITS; u++) {
        const replacement_unit *unit = functions_of(u);
        replacement *made[2];
        uint32_t different = 0;
        for (uint32_t i = 0; i < 2; i++) {
            made[i] = filled(unit);
            unit->reset(made[i], 20 + i);
        }
        for (uint32_t step = 0; step < 100; step++) {
            uint32_t victim[2];
            for (uint32_t i = 0; i < 2; i++) {
                victim[i] = unit->victim(made[i], 0, none_stays);
                unit->installed(made[i], victim[i]);
            }
            different += victim[0] != victim[1];
        }
        cr_expect_eq(different > 0, unit->draws, "%s: %u of 100", listed[u]->name, different);
        for (uint32_t i = 0; i < 2; i++)
            unit->destroy(made[i]);
    }
}

Test(replacement, reset_makes_each_as_new)
{
    for (size_t u = 0; u < UNITS; u++) {
        const replacement_unit *unit = functions_of(u);
        replacement *made = filled(unit);
        uint32_t first[50];
        for (uint32_t round = 0; round < 2; round++) {
            uint64_t seed = 3;
            unit->reset(made, 11);
            for (uint32_t i = 0; i < 50; i++) {
                const uint32_t set = (uint32_t)(kit_random(&seed) % SETS);
                unit->used(made, set * WAYS + (uint32_t)(kit_random(&seed) % WAYS));
                const uint32_t victim = unit->victim(made, set * WAYS, none_stays);
                unit->installed(made, victim);
                cr_assert_eq(victim / WAYS, set);
                cr_expect(round == 0 || victim == first[i], "%s, step %u", listed[u]->name, i);
                first[i] = victim;
            }
        }
        unit->destroy(made);
        cr_expect_gt(strlen(listed[u]->source), 0);
    }
}

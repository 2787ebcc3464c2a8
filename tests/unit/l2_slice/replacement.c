/* SPDX-License-Identifier: MIT */
/* Each policy against a model of its own kind: lists for lru and fifo, a recursive tree for plru, counts for random. */
#include "replacement.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"

enum { SETS = 3, WAYS = 8, STEPS = 20000 };

static const replacement_unit *const units[] = {REPLACEMENT_POINTERS};

/* ---- The models ---------------------------------------------------------------------------------------------------- */

/* Ways of a set, the next to go first. */
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

/* ---- Comparisons ---------------------------------------------------------------------------------------------------- */

static replacement *filled(const replacement_unit *unit)
{
    replacement *made = unit->create(&(replacement_parameters){SETS, WAYS});
    unit->reset(made, 7);
    for (uint32_t set = 0; set < SETS; set++)
        for (uint32_t way = 0; way < WAYS; way++)
            unit->installed(made, set, way);
    return made;
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
        const uint32_t set = (uint32_t)(kit_random(&seed) % SETS), way = (uint32_t)(kit_random(&seed) % WAYS);
        if (kit_random(&seed) % 2) {
            unit->used(made, set, way);
            if (moves_on_use)
                move_to_end(&model, set, way);
            continue;
        }
        const uint32_t victim = unit->victim(made, set);
        cr_assert_eq(victim, model.order[set][0], "%s, step %u", unit->name, i);
        unit->installed(made, set, victim);
        move_to_end(&model, set, victim);
    }
    unit->destroy(made);
}

Test(l2_slice_replacement, lru_gives_up_what_was_not_used_for_longest)
{
    compare_with_queue(&replacement_lru, 1);
}

Test(l2_slice_replacement, fifo_gives_up_what_came_first)
{
    compare_with_queue(&replacement_fifo, 0);
}

Test(l2_slice_replacement, plru_follows_its_tree)
{
    replacement *made = filled(&replacement_plru);
    static tree_model model;
    for (uint32_t set = 0; set < SETS; set++)
        for (uint32_t way = 0; way < WAYS; way++)
            tree_used(&model, set, 0, WAYS, way);
    uint64_t seed = 2;
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint32_t set = (uint32_t)(kit_random(&seed) % SETS);
        uint32_t way = (uint32_t)(kit_random(&seed) % WAYS);
        if (kit_random(&seed) % 2) {
            replacement_plru.used(made, set, way);
        } else {
            way = replacement_plru.victim(made, set);
            cr_assert_eq(way, tree_victim(&model, set, 0, WAYS), "step %u", i);
            replacement_plru.installed(made, set, way);
        }
        tree_used(&model, set, 0, WAYS, way);
    }
    replacement_plru.destroy(made);
    cr_expect_not_null(replacement_plru.refuses(6));
    cr_expect_not_null(replacement_plru.refuses(128));
    cr_expect_null(replacement_plru.refuses(64));
    cr_expect_null(replacement_plru.refuses(1));
}

Test(l2_slice_replacement, random_gives_up_each_way_as_often)
{
    replacement *made = filled(&replacement_random);
    uint32_t counts[WAYS] = {0};
    for (uint32_t i = 0; i < STEPS; i++)
        counts[replacement_random.victim(made, i % SETS)]++;
    /* Six standard deviations of a binomial distribution. */
    for (uint32_t way = 0; way < WAYS; way++)
        cr_expect(abs((int)counts[way] - STEPS / WAYS) < 6 * 47, "way %u: %u of %u", way, counts[way], STEPS);
    replacement_random.destroy(made);
}

Test(l2_slice_replacement, reset_makes_each_as_new)
{
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        replacement *made = filled(units[u]);
        uint32_t first[50];
        for (uint32_t round = 0; round < 2; round++) {
            uint64_t seed = 3;
            units[u]->reset(made, 11);
            for (uint32_t i = 0; i < 50; i++) {
                const uint32_t set = (uint32_t)(kit_random(&seed) % SETS);
                units[u]->used(made, set, (uint32_t)(kit_random(&seed) % WAYS));
                const uint32_t victim = units[u]->victim(made, set);
                units[u]->installed(made, set, victim);
                cr_assert_lt(victim, WAYS);
                cr_expect(round == 0 || victim == first[i], "%s, step %u", units[u]->name, i);
                first[i] = victim;
            }
        }
        units[u]->destroy(made);
        cr_expect_gt(strlen(units[u]->source), 0);
    }
}

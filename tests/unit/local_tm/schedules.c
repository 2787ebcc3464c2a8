/* SPDX-License-Identifier: MIT */
/* Random schedules of all rules; HEDDLE_LOCAL_TM_SCHEDULES says how many, HEDDLE_LOCAL_TM_SEED from which on, and
 * HEDDLE_LOCAL_TM_RELEASE=lane_map, ... with which release of shared words alone. */
#include "scripted_group.h"

#include "kit_random.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t number_of(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : standard;
}

static uint32_t draw(uint64_t *seed, uint32_t first, uint32_t last)
{
    return first + (uint32_t)(kit_random(seed) % (last - first + 1));
}

/* The release of that name among OWNERSHIP_RELEASES; NULL: OWNERSHIP_PAPER, which is none to be drawn. */
static uint32_t release_of(const char *name)
{
    uint32_t release = OWNERSHIP_WARP_MAP;
    for (const char *left = OWNERSHIP_RELEASES; name && release < OWNERSHIP_PAPER; release++) {
        const size_t length = strcspn(left, "|");
        if (strlen(name) == length && strncmp(left, name, length) == 0)
            return release;
        left += length + 1;
    }
    cr_assert_null(name, "there is no release '%s' to be drawn", name);
    return OWNERSHIP_PAPER;
}

static group_shape draw_shape(uint64_t seed, uint32_t release)
{
    group_shape shape = {.algorithm = draw(&seed, OWNERSHIP_DCD, OWNERSHIP_SMDCD),
                         .release = draw(&seed, OWNERSHIP_WARP_MAP, OWNERSHIP_PRECISE),
                         .is_strict = draw(&seed, 0, 1),
                         .warps = 1u << draw(&seed, 0, 3),
                         .lanes = draw(&seed, 2, GROUP_LANES),
                         .banks = 1u << draw(&seed, 0, 2),
                         .operations = draw(&seed, 2, GROUP_OPERATIONS),
                         .transactions = draw(&seed, 1, 2),
                         .rules = {.equal_masks = draw(&seed, 1, 3),
                                   .selection = draw(&seed, TURN_LOWEST, TURN_ROTATE),
                                   .in_warp = draw(&seed, 0, 3) != 0,
                                   .in_block = 1}};
    shape.rows = (draw(&seed, 4, 16) + shape.banks - 1) / shape.banks;
    if (release != OWNERSHIP_PAPER) {
        shape.algorithm = OWNERSHIP_SMDCD;
        shape.release = release;
    }
    return shape;
}

Test(local_schedules, are_serialisable)
{
    const uint64_t first = number_of("HEDDLE_LOCAL_TM_SEED", (uint64_t)time(NULL) << 20);
    const uint64_t count = number_of("HEDDLE_LOCAL_TM_SCHEDULES", 1000);
    const uint32_t release = release_of(getenv("HEDDLE_LOCAL_TM_RELEASE"));
    char wrong[WRONG_BYTES];
    group_totals totals = {0};
    printf("seed %llu\n", (unsigned long long)first);
    for (uint64_t seed = first; seed < first + count; seed++) {
        const group_shape shape = draw_shape(seed, release);
        cr_assert(scripted_group_run(&shape, seed, &totals, wrong),
                  "seed %llu (algorithm %u, release %u, strict %u, %u warps of %u, %u banks of %u): %s",
                  (unsigned long long)seed, shape.algorithm, shape.release, shape.is_strict, shape.warps, shape.lanes,
                  shape.banks, shape.rows, wrong);
    }
    printf("local schedules: %llu, commits %llu, aborts %llu, attempts %llu, in the warp %llu, in the block %llu, gave "
           "way %llu, shared %llu\n",
           (unsigned long long)count, (unsigned long long)totals.commits, (unsigned long long)totals.aborts,
           (unsigned long long)totals.attempts, (unsigned long long)totals.in_warp, (unsigned long long)totals.in_block,
           (unsigned long long)totals.gave_way, (unsigned long long)totals.shared);
    cr_expect(totals.aborts && totals.in_warp && totals.in_block && totals.gave_way && totals.shared);
}

static group_shape shape_of(uint32_t release, uint32_t warps)
{
    return (group_shape){.algorithm = OWNERSHIP_SMDCD,
                         .release = release,
                         .is_strict = 1,
                         .warps = warps,
                         .lanes = 4,
                         .banks = 2,
                         .rows = 4,
                         .operations = 4,
                         .transactions = 1,
                         .rules = {.equal_masks = 2, .in_warp = 1, .in_block = 1}};
}

/* How many of 1500 schedules are wrong, and the first of them. */
static uint32_t count_wrong(uint32_t release, uint32_t warps, uint64_t *found, group_totals *totals)
{
    const group_shape shape = shape_of(release, warps);
    char wrong[WRONG_BYTES], first[WRONG_BYTES] = "";
    uint32_t count = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        const uint32_t is_right = scripted_group_run(&shape, seed, totals, wrong);
        if (!is_right && !count++) {
            *found = seed;
            snprintf(first, sizeof first, "%s", wrong);
        }
    }
    if (count)
        printf("release %u, %u warps: %u of 1500 are wrong, the first of seed %llu: %s\n", release, warps, count,
               (unsigned long long)*found, first);
    return count;
}

/* Shared words go with their first reader: the more warps, the more is wrong. */
Test(local_schedules, find_the_release_of_the_paper)
{
    uint32_t before = 0;
    for (uint32_t warps = 2; warps <= 8; warps *= 2) {
        uint64_t found = 0;
        group_totals totals = {0};
        const uint32_t wrong = count_wrong(OWNERSHIP_PAPER, warps, &found, &totals);
        cr_expect_gt(wrong, before, "%u warps: %u of 1500", warps, wrong);
        before = wrong;
    }
}

/* The more is known of readers, the less aborts. */
Test(local_schedules, releases_differ_in_aborts)
{
    static const uint32_t releases[] = {OWNERSHIP_PRECISE, OWNERSHIP_LANE_MAP, OWNERSHIP_WARP_MAP, OWNERSHIP_STICKY};
    uint64_t before = 0;
    for (uint32_t i = 0; i < sizeof releases / sizeof *releases; i++) {
        uint64_t found = 0;
        group_totals totals = {0};
        cr_expect_eq(count_wrong(releases[i], 4, &found, &totals), 0);
        cr_expect_gt(totals.aborts, before);
        before = totals.aborts;
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * Random programs on AWARE: lanes do what they do alone, whatever side is first, wherever lanes rotate, and whenever they lose patience;
 * after each instruction the tables are what they may be. HEDDLE_AWARE_PROGRAMS: how many programs.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "aware/aware.h"
#include "reconvergence_random_run.h"

#define PROGRAMS 600u

static void check_tables(const reconvergence *state, uint32_t warp)
{
    cr_assert(splits_can_be(&((const aware *)state)->splits, warp));
}

static uint64_t programs(void)
{
    const char *text = getenv("HEDDLE_AWARE_PROGRAMS");
    return text ? strtoull(text, NULL, 10) : PROGRAMS;
}

Test(reconvergence_aware_random, runs_every_lane_of_any_program_as_it_runs_alone, .timeout = 600)
{
    static const uint32_t lane_counts[] = {2, 3, 4, 8, 8, 16, 32, 64}, timeouts[] = {0, 0, 1, 5, 30, 400};
    static program p;
    run *r = calloc(1, sizeof *r);
    cr_assert_not_null(r);
    const uint64_t seed = 20180501;
    uint64_t made = 0, issues[2] = {0};
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint64_t s = seed; made < programs(); s++) {
        const hd_value values[RIG_VALUES] = {[AWARE_FIRST] = {.u = s / 8 % 2},
                                             [AWARE_ROTATE] = {.u = s / 16 % 3},
                                             [AWARE_TIMEOUT] = {.u = timeouts[s / 48 % 6]},
                                             [AWARE_SPLITS] = {.u = s % 7},
                                             [AWARE_MEETINGS] = {.u = s / 3 % 5}};
        r->program = &p;
        r->lanes = lane_counts[s % 8];
        r->timed = 1;
        r->moving = s % 5 ? 0 : s;
        r->values = NULL;
        r->check = NULL;
        if (!program_make(&p, s) || !run_alone(r))
            continue;
        made++;
        run_on(r, &reconvergence_mimd);
        issues[0] += r->issue_count;
        r->values = values;
        r->check = check_tables;
        run_on(r, &reconvergence_aware);
        issues[1] += r->issue_count;
    }
    printf("%llu programs, %llu instructions instead of %llu\n", (unsigned long long)made,
           (unsigned long long)issues[1], (unsigned long long)issues[0]);
    cr_assert_lt(issues[1], issues[0]);
    free(r);
}

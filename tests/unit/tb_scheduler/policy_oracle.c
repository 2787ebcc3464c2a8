/* SPDX-License-Identifier: MIT */
/* Blocks that are placed by what their kernel has used in another run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "policy_programs.h"
#include "thread_block_policy_units.h"

enum { BITS, MEMORY_STEPS, FLOAT_STEPS, DEMAND_STEPS, ABORT_STEPS, LIMIT, PROFILE, VALUES };
#define CORES 2u

static const thread_block_policy_unit *const unit = &thread_block_policy_static_oracle;
static hd_value values[VALUES];
static uint64_t counters[4];
static char error[256];
static const hd_grid known = {.grid_size = {100, 1, 1}},
                     unknown = {.grid_size = {100, 1, 1}, .entry_pc = 4, .launch = 7};

static thread_block_policy *create(const char *path)
{
    static const uint64_t standard[VALUES] = {3, 8, 8, 0, 0, 100};
    for (uint32_t i = 0; i < PROFILE; i++)
        values[i].u = values[i].u ? values[i].u : standard[i];
    values[PROFILE].text = path;
    error[0] = programs_fault[0] = '\0';
    return unit->create(&(thread_block_policy_parameters){
        .slots = 8,
        .cores = CORES,
        .share = {.services = &programs_services, .values = values, .counters = counters},
        .error = error,
        .error_bytes = sizeof error});
}

static thread_block_policy *create_with(const char *rows)
{
    const char *path = programs_profile(rows);
    thread_block_policy *policy = create(path);
    unlink(path);
    cr_assert(policy, "%s", error);
    return policy;
}

static uint32_t core_for(const thread_block_policy *policy, uint32_t slot)
{
    static const uint64_t all[1] = {(1u << CORES) - 1};
    const thread_block block = {.slot = slot, .core = NO_CORE, .grid = &known};
    return unit->choose_core(policy, &block, &(thread_block_cores){.count = CORES, .has_room = all, .takes = all}, 0);
}

static void launch(thread_block_policy *policy, uint32_t slot, uint32_t core, const hd_grid *grid)
{
    const thread_block block = {.slot = slot, .core = core, .grid = grid};
    unit->event(policy,
                &(thread_block_event){.kind = THREAD_BLOCK_LAUNCHED, .slot = slot, .core = core, .block = &block});
}

/* How many blocks of the kernel the cores take. */
static uint32_t taken(const char *rows)
{
    thread_block_policy *policy = create_with(rows);
    uint32_t count = 0;
    for (uint32_t core; count < 8 && (core = core_for(policy, count)) != NO_CORE; count++) {
        cr_expect_eq(core, count % CORES, "in turn");
        launch(policy, count, core, &known);
    }
    cr_expect_str_empty(programs_fault);
    unit->destroy(policy);
    memset(values, 0, sizeof values);
    return count;
}

/* Levels of eighths: 3 and 3 are within 8, a third is not; all of a core is 7, and one block alone is always taken. */
Test(policy_oracle, cores_take_what_fits_by_the_profile)
{
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 400 1000 0 0 0 0\n"), 4, "3 of memory");
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 374 1000 0 0 0 0\n"), 8, "2 of memory: four on each");
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 0 1000 625 0 0 0\n"), 2, "5 of floats");
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 1000 1000 1000 0 0 0\n"), 2, "an empty core takes any");
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 0 1000 0 1000 10 10\n"), 8, "what has no steps is not considered");
    values[DEMAND_STEPS].u = 8;
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 0 1000 0 400 10 10\n"), 4);
    values[ABORT_STEPS].u = 8;
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 0 1000 0 0 10 7\n"), 2);
    values[LIMIT].u = 200;
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 625 1000 0 0 0 0\n"), 6, "5 three times");
    values[BITS].u = 1;
    cr_expect_eq(taken("abcdef0123456789 kernel 1000 625 1000 0 0 0 0\n"), 8, "no level is more than 1");
}

Test(policy_oracle, finds_the_kernel_among_others)
{
    cr_expect_eq(taken("abcdef0123456789 other 9 9 9 9 9 9 9\nabcdef0123456789 kernel 1000 400 1000 0 0 0 0\n"), 4);
    cr_expect_eq(taken("0 kernel 1000 400 1000 0 0 0 0\n"), 4, "of any program");
    cr_expect_eq(taken("1111 stranger 9 9 9 9 9 9 9\nend\nheddle block levels 1\n0 kernel 1000 400 1000 0 0 0 0\n"), 4,
                 "of two runs, one of them of a program that is not here");
}

/* Without tracking: no levels are asked for, and none come. */
Test(policy_oracle, keeps_to_the_profile)
{
    cr_expect_null(unit->watch);
    cr_expect_null(unit->choose_victim);
    thread_block_policy *policy = create_with("0 kernel 1000 400 1000 0 0 0 0\n");
    launch(policy, 0, 0, &known), launch(policy, 1, 0, &known), launch(policy, 2, 1, &known);
    cr_expect_eq(core_for(policy, 3), 1);
    launch(policy, 3, 1, &known);
    cr_expect_eq(core_for(policy, 4), NO_CORE);
    const thread_block ended = {.slot = 1, .core = 0, .grid = &known};
    unit->event(policy, &(thread_block_event){.kind = THREAD_BLOCK_ENDED, .slot = 1, .core = 0, .block = &ended});
    cr_expect_eq(core_for(policy, 4), 0);
    unit->reset(policy);
    cr_expect_eq(core_for(policy, 0), 0, "the profile is still known");
    unit->destroy(policy);
}

Test(policy_oracle, a_kernel_that_is_not_in_it_ends_the_run)
{
    thread_block_policy *policy = create_with("0 kernel 1000 400 1000 0 0 0 0\n");
    launch(policy, 0, 0, &known);
    cr_expect_str_empty(programs_fault);
    launch(policy, 1, 0, &unknown);
    cr_expect_str_eq(programs_fault, "the profile of block levels does not say what kernel '?' of launch 7 uses");
    unit->destroy(policy);
}

#define NO_PROFILE "it is no profile of block levels: 'heddle profile RUN --levels FILE' writes one"
#define HEAD "heddle block levels 1\n"
#define ROW "abcdef0123456789 kernel 1000 400 1000 0 0 0 0\n"

Test(policy_oracle, says_where_a_profile_is_wrong)
{
    static const struct {
        const char *text;
        uint32_t line;
        const char *what;
    } rows[] = {{"", 1, NO_PROFILE},
                {HEAD, 2, NO_PROFILE},
                {ROW "end\n", 1, NO_PROFILE},
                {HEAD ROW, 3, NO_PROFILE},
                {HEAD ROW ROW "end\n", 3, NO_PROFILE},
                {HEAD HEAD "end\n", 2, NO_PROFILE},
                {HEAD "abc kernel 1 2\nend\n", 2, NO_PROFILE},
                {HEAD "x kernel 1 1 1 1 1 1 1\nend\n", 2, NO_PROFILE},
                {HEAD "0 kernel 0 1 1 1 1 1 1\nend\n", 2, NO_PROFILE},
                {HEAD "0 kernel 1 1 1 1 1 1 1 1\nend\n", 2, NO_PROFILE},
                {HEAD "0 kernel 1 -1 1 1 1 1 1\nend\n", 2, NO_PROFILE},
                {HEAD "0 kernel 1 1 1 1 1 1 18446744073709551615\nend\n", 2, NO_PROFILE},
                {HEAD ROW "end\nend\n", 4, NO_PROFILE},
                {HEAD "abcdef0123456780 kernel 1000 400 1000 0 0 0 0\nend\n", 2,
                 "the profile is stale: the program with kernel 'kernel' has changed since"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[256];
        const char *path = programs_file(rows[i].text);
        cr_expect_null(create(path), "row %zu", i);
        snprintf(expected, sizeof expected, "%s:%u: %s", path, rows[i].line, rows[i].what);
        cr_expect_str_eq(error, expected, "row %zu: %s", i, error);
        unlink(path);
    }
    cr_expect_null(create("/nowhere/at/all"));
    cr_expect_str_eq(error, "/nowhere/at/all:0: No such file or directory");
}

/* SPDX-License-Identifier: MIT */
/*
 * Each kernel of kernels.c on a warp of 8 lanes, at each level of optimisation: on a stack it ends or hangs as the table says, and
 * with its deadlocks removed it ends. Folder of kernels_LEVEL.elf: DEADLOCK_KERNELS.
 */
#include "functional_core.h"
#include "kernel_runs.h"
#include "simt_core.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 3u
#define CYCLES 8000u         /* more than any of them takes, of a core that takes one for an instruction */
#define TIMED_CYCLES 150000u /* with latencies */
#define TAKEN_FIRST "reconvergence.stack.first=taken"
#define NOT_TAKEN_FIRST "reconvergence.stack.first=not_taken"
#define START_WORDS 18u /* of start.S */

typedef struct outcome {
    char how; /* as in kernel_run */
    int is_right;
    uint64_t instructions; /* of warps, without start.S */
    uint64_t of_threads;
    char text[512]; /* of what is refused, or wrong */
} outcome;

static isa_program *load(uint32_t level)
{
    static char bytes[1 << 18];
    char path[512], error[512];
    const char *folder = getenv("DEADLOCK_KERNELS");
    cr_assert(folder, "DEADLOCK_KERNELS is not set");
    snprintf(path, sizeof path, "%s/kernels_%u.elf", folder, level);
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s", path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    isa_program *program = isa_program_load(bytes, size, error, sizeof error);
    cr_assert(program, "%s: %s", path, error);
    return program;
}

static int is_timed(const hd_block_class *type)
{
    return type == &hd_simt_core_timed;
}

/* The memory behind the timed core knows no lr and sc. */
static int has_lr(const kernel_run *run)
{
    return !strcmp(run->name, "D01") || !strcmp(run->name, "A02") || !strcmp(run->name, "A01");
}

/* lanes: of its warps, as parameters say. */
static outcome run_on(const kernel_run *run, uint32_t level, const hd_block_class *type, const char *const *parameters,
                      uint32_t lanes)
{
    outcome o = {0};
    uint32_t kernel;
    isa_program *program = load(level);
    cr_assert(isa_program_symbol(program, run->name, &kernel), "%s", run->name);
    core_rig *rig = rig_create_with(type, parameters, program);
    kit_expect_fault(rig_kit(rig));
    for (uint32_t i = 0; i < 8; i++)
        rig_set_word(rig, RUN_ARGUMENTS + 4 * i, run->arguments[i]);
    rig_set_word(rig, RUN_ARGUMENTS + 32, kernel);
    rig_set_word(rig, RUN_ARGUMENTS + 36, run->less_by_thread);
    if (run->prepare)
        run->prepare(rig);
    rig_launch(rig, run->threads, 0);
    kit_run_until(rig_kit(rig), kit_edge(rig_kit(rig), is_timed(type) ? TIMED_CYCLES : CYCLES));
    const char *fault = kit_fault_text(rig_kit(rig));
    o.how = fault ? 'F' : rig_done(rig) ? 'o' : 'D';
    o.is_right = o.how == 'o' && run->is_right(rig);
    snprintf(o.text, sizeof o.text, "%s", fault ? fault : "");
    const uint64_t warps = (run->threads + lanes - 1) / lanes;
    o.instructions = kit_statistic(rig_kit(rig), "warp_instructions") - START_WORDS * warps;
    o.of_threads = kit_statistic(rig_kit(rig), "thread_instructions") - (uint64_t)START_WORDS * run->threads;
    rig_destroy(rig);
    isa_program_free(program);
    return o;
}

static void expect_on_stack(const hd_block_class *type, const char *first, uint32_t column)
{
    char order[64];
    snprintf(order, sizeof order, "reconvergence.stack.first=%s", first);
    const char *const parameters[] = {"lanes=8", order, NULL};
    for (uint32_t i = 0; i < kernel_run_count; i++)
        for (uint32_t level = 0; level < LEVELS; level++) {
            const kernel_run *run = &kernel_runs[i];
            const char expected = (column ? run->not_taken : run->taken)[level];
            const outcome o = run_on(run, level, type, parameters, RUN_LANES);
            cr_expect_eq(o.how, expected, "%s -O%u, %s first: %c, not %c: %s", run->name, level, first, o.how, expected,
                         o.text);
            cr_expect(o.how != 'o' || o.is_right, "%s -O%u, %s first: wrong result", run->name, level, first);
        }
}

Test(deadlock_runs, a_stack_hangs_where_the_table_says)
{
    expect_on_stack(&hd_simt_core_functional, "taken", 0);
    expect_on_stack(&hd_simt_core_functional, "not_taken", 1);
}

static int is_removable(const kernel_run *run)
{
    return strcmp(run->name, "M01") && strcmp(run->name, "B01");
}

/* unit: a parameter of the core, of the reconvergence unit or which it is. */
static void expect_removed(const hd_block_class *type, const char *removal, const char *unit, int prints)
{
    char form[32];
    snprintf(form, sizeof form, "ssde=%s", removal);
    const char *const parameters[] = {"lanes=8", unit, form, NULL};
    for (uint32_t i = 0; i < kernel_run_count; i++) {
        const kernel_run *run = &kernel_runs[i];
        if (is_timed(type) && (has_lr(run) || !is_removable(run)))
            continue;
        if (prints)
            fprintf(stderr, "%-5s", run->name);
        for (uint32_t level = 0; level < LEVELS; level++) {
            const char expected = is_removable(run) ? 'o' : run->taken[level];
            const outcome o = run_on(run, level, type, parameters, RUN_LANES);
            cr_expect_eq(o.how, expected, "%s -O%u, ssde=%s, %s: %c, not %c: %s", run->name, level, removal, unit,
                         o.how, expected, o.text);
            cr_expect(o.how != 'o' || o.is_right, "%s -O%u, ssde=%s, %s: wrong result", run->name, level, removal,
                      unit);
            if (prints)
                fprintf(stderr, "  %5lu/.%02lu", o.instructions,
                        o.instructions ? o.of_threads * 100 / RUN_LANES / o.instructions : 0);
        }
        if (prints)
            fputs("\n", stderr);
    }
}

Test(deadlock_runs, end_when_their_code_is_rewritten)
{
    expect_removed(&hd_simt_core_functional, "rewritten", TAKEN_FIRST, 1);
    expect_removed(&hd_simt_core_functional, "rewritten", NOT_TAKEN_FIRST, 0);
    expect_removed(&hd_simt_core_timed, "rewritten", TAKEN_FIRST, 0);
}

Test(deadlock_runs, end_when_the_core_executes_switches)
{
    expect_removed(&hd_simt_core_functional, "virtual", TAKEN_FIRST, 1);
    expect_removed(&hd_simt_core_functional, "virtual", NOT_TAKEN_FIRST, 0);
    expect_removed(&hd_simt_core_timed, "virtual", TAKEN_FIRST, 0);
}

/* Where splits take turns or run side by side they would end without; a barrier on both sides opens. */
static void expect_removed_of_splits(const hd_block_class *type, const char *removal, const char *unit)
{
    const char *const parameters[] = {"lanes=8", unit, removal, NULL};
    for (uint32_t i = 0; i < kernel_run_count; i++) {
        const kernel_run *run = &kernel_runs[i];
        if (!strcmp(run->name, "M01") || !strcmp(run->name, "F04") || (is_timed(type) && has_lr(run)))
            continue;
        const outcome o = run_on(run, 2, type, parameters, RUN_LANES);
        cr_expect(o.how == 'o' && o.is_right, "%s, %s, %s: %c: %s", run->name, removal, unit, o.how, o.text);
    }
}

Test(deadlock_runs, end_on_other_units_too)
{
    expect_removed_of_splits(&hd_simt_core_functional, "ssde=virtual", "reconvergence=aware");
    expect_removed_of_splits(&hd_simt_core_functional, "ssde=rewritten", "reconvergence=aware");
    expect_removed_of_splits(&hd_simt_core_timed, "ssde=virtual", "reconvergence=aware");
    expect_removed_of_splits(&hd_simt_core_timed, "ssde=rewritten", "reconvergence=mp");
}

/* As docs/simt-deadlock.md says. */
Test(deadlock_runs, issue_so_many_instructions_with_switches)
{
    for (uint32_t i = 0; i < kernel_run_count; i++) {
        const kernel_run *run = &kernel_runs[i];
        if (!run->switched)
            continue;
        const outcome o = run_on(run, 2, &hd_simt_core_functional,
                                 (const char *[]){"lanes=8", TAKEN_FIRST, "ssde=virtual", NULL}, RUN_LANES);
        cr_expect_eq(o.instructions, run->switched, "%s: %lu, not %u", run->name, o.instructions, run->switched);
    }
}

/* Each turn lets one lane through. */
Test(deadlock_runs, a_spin_lock_takes_ten_instructions_for_each_lane)
{
    const kernel_run *of_table = kernel_runs;
    while (strcmp(of_table->name, "D02"))
        of_table++;
    for (uint32_t lanes = 4; lanes <= 32; lanes *= 2) {
        char text[16];
        kernel_run run = *of_table;
        snprintf(text, sizeof text, "lanes=%u", lanes);
        run.threads = lanes;
        const outcome o =
            run_on(&run, 2, &hd_simt_core_functional, (const char *[]){text, "ssde=virtual", NULL}, lanes);
        cr_expect_eq(o.how, 'o', "%u lanes", lanes);
        cr_expect_eq(o.instructions, 10 * lanes + 2, "%u lanes: %lu", lanes, o.instructions);
    }
}

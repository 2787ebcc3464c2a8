/* SPDX-License-Identifier: MIT */
/*
 * Random programs without warp-synchronous code: whichever unit says what lanes run together, and wherever most of them are said to meet, each
 * thread does what it does alone.
 *
 * HEDDLE_UNIT_PROGRAMS = how many programs (default 40), HEDDLE_UNIT_SEED = seed of the first.
 */
#include "analysis.h"
#include "core_alone.h"
#include "core_rig.h"
#include "likely_points.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static uint64_t profiled_seed;

/* A branch profile of any numbers: of few lanes where one draw says so, of many where another does. */
static void draw_profile(const isa_program *program, const char *name)
{
    uint64_t random = profiled_seed;
    FILE *out = fopen(name, "w");
    cr_assert_not_null(out);
    fputs(ISA_BRANCH_PROFILE_HEAD "\n", out);
    for (uint32_t i = 0; i < program->text_bytes / 4; i++) {
        const uint32_t pc = program->text_address + 4 * i;
        char text[64];
        if (program->instructions[i].instruction_class != ISA_CLASS_BRANCH)
            continue;
        const uint64_t lanes = 1 + kit_random(&random) % 1000, part = kit_random(&random) % (lanes + 1),
                       taken = kit_random(&random) % 2 ? part : part / 10;
        isa_disassemble(&program->instructions[i], pc, text, sizeof text);
        fprintf(out, "0x%" PRIx32 " %" PRIu64 " %" PRIu64 " %s\n", pc, lanes, taken, text);
    }
    fputs(ISA_BRANCH_PROFILE_END "\n", out);
    fclose(out);
}

static int fill_by_drawn_profile(const isa_program *program, uint32_t *values, char *error, size_t error_bytes)
{
    char name[48];
    snprintf(name, sizeof name, "any_profile.%d", (int)getpid());
    draw_profile(program, name);
    const isa_analysis by = isa_likely_points_by(name);
    const int failed = by.fill_from(program, name, values, error, error_bytes);
    unlink(name);
    return failed;
}

static const isa_analysis by_drawn_profile = {
    .name = "likely_convergence", .doc = "by any profile", .fill = fill_by_drawn_profile};

/* `likely`: instead of those by loops, NULL: as the unit has them. */
static const struct {
    const char *name, *parameters[4];
    const isa_analysis *likely;
} units[] = {
    {"stack", {"reconvergence=stack"}, NULL},
    {"stack, loops", {"reconvergence=stack", "reconvergence.stack.likely_points=loops"}, NULL},
    {"stack, profile", {"reconvergence=stack", "reconvergence.stack.likely_points=loops"}, &by_drawn_profile},
    {"aware", {"reconvergence=aware"}, NULL},
    {"mp", {"reconvergence=mp"}, NULL},
    {"mp, early and delayed",
     {"reconvergence=mp", "reconvergence.mp.early=true", "reconvergence.mp.delayed=true"},
     NULL},
    {"dwf", {"reconvergence=dwf", "scheduler=dwf"}, NULL},
    {"dwf_wb", {"reconvergence=dwf_wb", "scheduler=dwf"}, NULL},
    {"block_stack", {"reconvergence=block_stack"}, NULL},
    {"block_stack, loops", {"reconvergence=block_stack", "reconvergence.block_stack.likely_points=loops"}, NULL},
    {"block_stack, profile",
     {"reconvergence=block_stack", "reconvergence.block_stack.likely_points=loops"},
     &by_drawn_profile},
};
#define UNITS (sizeof units / sizeof *units)

Test(simt_core_all_units, random_programs_do_what_each_thread_does_alone, .timeout = 36000)
{
    static uint32_t words[RANDOM_WORDS];
    static alone_outcome reference, other;
    const uint64_t first = alone_option("HEDDLE_UNIT_SEED", 20261201),
                   programs = alone_option("HEDDLE_UNIT_PROGRAMS", 40);
    for (uint64_t seed = first; seed < first + programs; seed++) {
        profiled_seed = seed;
        random_program(seed, words);
        alone_run(alone_mimd, words, seed, 0, &reference);
        for (uint32_t unit = 0; unit < UNITS; unit++) {
            const alone_machine *machine = &alone_machines[(seed + unit) % ALONE_MACHINES];
            rig_changes(NULL, units[unit].likely);
            alone_run(alone_with(machine, units[unit].parameters), words, seed, 0, &other);
            rig_changes(NULL, NULL);
            alone_compare(&reference, &other, seed, machine->name, units[unit].name);
        }
    }
    fprintf(stderr, "all units: seeds %" PRIu64 " to %" PRIu64 "\n", first, first + programs - 1);
}

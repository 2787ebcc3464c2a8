/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "kernel_file.h"
#include "listing.h"
#include "listing_steps.h"

static int no_function(const isa_program *program, const char *name)
{
    const char *names[256];
    size_t count = 0;
    for (uint32_t i = 0; i < program->symbol_count && count < sizeof names / sizeof *names; i++)
        if (program->symbols[i].is_function)
            names[count++] = program->symbols[i].name;
    return hd_usage_error(name, names, count, "there is no function '%s'", name);
}

/* Its number; ISA_STEP_COUNT after an error. */
static enum isa_step step_named(const char *name)
{
    const char *names[ISA_STEP_COUNT];
    for (uint32_t step = 0; step < ISA_STEP_COUNT; step++) {
        names[step] = isa_step_name(step);
        if (strcmp(name, names[step]) == 0)
            return (enum isa_step)step;
    }
    hd_usage_error(name, names, ISA_STEP_COUNT, "there is no step '%s': kernels are loaded in the steps %s, %s, %s, %s",
                   name, names[0], names[1], names[2], names[3]);
    return ISA_STEP_COUNT;
}

static int print(const kernel_file *file, enum isa_step step, const char *function)
{
    const int found = step == ISA_STEP_ANALYSE ? listing_print(file->program, function, stdout)
                                               : listing_print_step(file->program, step, function, stdout);
    return found ? HD_EXIT_PASS : no_function(file->program, function);
}

static int disasm(const hd_command *command, int count, char **words)
{
    const char *what, *function = NULL, *after = NULL;
    kernel_file file = {0};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {{.name = "--function", .takes_value = 1, .value = &function},
                                     {.name = "--after", .takes_value = 1, .value = &after}};
    if (hd_arguments(command, count, words, options, 2, &what, 1, 1) < 0)
        return HD_EXIT_USAGE;
    const enum isa_step step = after ? step_named(after) : ISA_STEP_ANALYSE;
    if (step != ISA_STEP_COUNT && kernel_file_open_to(&file, what, step))
        result = print(&file, step, function);
    kernel_file_close(&file);
    return result;
}

const hd_command hd_command_disasm = {
    .name = "disasm",
    .usage = KERNEL_FILE_USAGE " [--function NAME] [--after STEP]",
    .doc = "disassemble kernels, with reconvergence points",
    .help = "Each function with its basic blocks B0, B1, ... and source lines, the predecessors of each block, and\n"
            "the branches whose lanes reconverge there.\n\n"
            "Kernels are loaded in steps; --after STEP shows what one of them has made:\n"
            "  parse      segments, sections .heddle.*, symbols, instructions\n"
            "  annotate   the same with what sections say of instructions: relaxed loads, convergent uses\n"
            "  transform  the same after changes that the cores of a machine ask for; none do here\n"
            "  analyse    basic blocks and where lanes meet: what is shown without --after\n",
    .run = disasm,
};

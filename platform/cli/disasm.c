/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "command.h"
#include "kernel_file.h"
#include "listing.h"
#include "listing_machine.h"
#include "listing_steps.h"
#include "machine.h"
#include "machine_file.h"

static int has_function(const isa_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->symbol_count; i++)
        if (program->symbols[i].is_function && strcmp(program->symbols[i].name, name) == 0)
            return 1;
    return 0;
}

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

/* What is to be shown. */
typedef struct disassembly {
    const char *what, *function;
    enum isa_step last;
    machine_file options; /* of the machine */
    const char *machine;  /* path; NULL: the file alone */
    hd_machine *built;
} disassembly;

static int build_machine(disassembly *d)
{
    char *error;
    machine_file_request(&d->options);
    const hd_machine_setup setup = {.netlist = d->machine,
                                    .overrides = d->options.sets,
                                    .override_count = d->options.set_count,
                                    .plugins = d->options.requests,
                                    .plugin_count = d->options.request_count,
                                    .built_only = 1};
    d->built = hd_machine_open(&setup, &error);
    if (d->built)
        return 1;
    fputs(error, stderr);
    free(error);
    return 0;
}

/* Meeting points are shown also for a machine that has no use for them. */
static int print_blocks(const disassembly *d, isa_program *program)
{
    char error[256];
    if (isa_program_require(program, &isa_reconvergence, error, sizeof error)) {
        fprintf(stderr, "error: %s\n", error);
        return 0;
    }
    return listing_print(program, d->function, stdout);
}

static int print(const disassembly *d, const kernel_file *file)
{
    hd_programs_asked asked = {0};
    if (d->function && !has_function(file->program, d->function))
        return no_function(file->program, d->function);
    if (d->built) {
        asked = hd_program_registry_asked(hd_machine_programs(d->built));
        listing_print_asked(hd_machine_netlist(d->built)->name, &asked, stdout);
        fputc('\n', stdout);
    }
    const int found = d->last == ISA_STEP_ANALYSE ? print_blocks(d, file->program)
                                                  : listing_print_step(file->program, d->last, d->function, stdout);
    if (found && d->last == ISA_STEP_ANALYSE)
        listing_print_tables(file->program, &asked, d->function, stdout);
    return found ? HD_EXIT_PASS : no_function(file->program, d->function);
}

static int show(disassembly *d)
{
    kernel_file file = {0};
    int result = HD_EXIT_USAGE;
    if ((!d->machine || build_machine(d)) &&
        kernel_file_open_to(&file, d->what, d->last, d->built ? hd_machine_programs(d->built) : NULL))
        result = print(d, &file);
    kernel_file_close(&file);
    hd_machine_close(d->built);
    return result;
}

static int disasm(const hd_command *command, int count, char **words)
{
    const char *after = NULL;
    disassembly d = {.last = ISA_STEP_ANALYSE};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {{.name = "--function", .takes_value = 1, .value = &d.function},
                                     {.name = "--after", .takes_value = 1, .value = &after},
                                     {.name = "--machine", .takes_value = 1, .value = &d.machine},
                                     MACHINE_FILE_OPTIONS(&d.options)};
    const int found = hd_arguments(command, count, words, options, sizeof options / sizeof *options, &d.what, 1, 1);
    if (found >= 0 && after)
        d.last = step_named(after);
    if (found >= 0 && !d.machine && (d.options.set_count || d.options.path_count))
        hd_usage_error(NULL, NULL, 0, "--set and --plugin are of a machine: --machine NETLIST says of which");
    else if (found >= 0 && d.last != ISA_STEP_COUNT)
        result = show(&d);
    machine_file_close(&d.options);
    return result;
}

const hd_command hd_command_disasm = {
    .name = "disasm",
    .usage = KERNEL_FILE_USAGE " [--function NAME] [--after STEP] [--machine NETLIST " MACHINE_FILE_USAGE "]",
    .doc = "disassemble kernels, with reconvergence points",
    .help = "Each function with its basic blocks B0, B1, ... and source lines, the predecessors of each block, and\n"
            "the branches whose lanes reconverge there.\n\n"
            "Kernels are loaded in steps; --after STEP shows what one of them has made:\n"
            "  parse      segments, sections .heddle.*, symbols, instructions\n"
            "  annotate   the same with what sections say of instructions: relaxed loads, convergent uses\n"
            "  transform  the same after changes that the cores of a machine ask for; none without --machine\n"
            "  analyse    basic blocks and where lanes meet: what is shown without --after\n\n"
            "  --machine NETLIST  as the cores of this machine load them: what they change, and the tables that they "
            "use\n" MACHINE_FILE_HELP,
    .run = disasm,
};

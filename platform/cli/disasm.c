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
} disassembly;

static hd_machine *build_machine(disassembly *d)
{
    char *error;
    machine_file_request(&d->options);
    const hd_machine_setup setup = {.netlist = d->machine,
                                    .overrides = d->options.sets,
                                    .override_count = d->options.set_count,
                                    .plugins = d->options.requests,
                                    .plugin_count = d->options.request_count,
                                    .built_only = 1};
    hd_machine *machine = hd_machine_open(&setup, &error);
    if (!machine) {
        fputs(error, stderr);
        free(error);
    }
    return machine;
}

/* Meeting points are shown also for a machine that has no use for them. 0: there is no such function. */
static int print(const disassembly *d, isa_program *program, const hd_programs_asked *asked, FILE *out)
{
    char error[256];
    if (d->last != ISA_STEP_ANALYSE)
        return listing_print_step(program, d->last, d->function, out);
    if (isa_program_require(program, &isa_reconvergence, error, sizeof error))
        abort(); /* no memory */
    if (!listing_print(program, d->function, out))
        return 0;
    listing_print_tables(program, asked, d->function, out);
    return 1;
}

/* machine NULL: of the file alone. Nothing is printed before it is known that there is something to print. */
static int print_all(const disassembly *d, isa_program *program, const hd_machine *machine,
                     const hd_programs_asked *asked)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        abort();
    const int found = print(d, program, asked, out);
    fclose(out);
    if (found && machine) {
        listing_print_asked(hd_machine_netlist(machine)->name, asked, stdout);
        fputc('\n', stdout);
    }
    if (found)
        fwrite(text, 1, bytes, stdout);
    free(text);
    return found ? HD_EXIT_PASS : no_function(program, d->function);
}

static int show(const disassembly *d, const hd_machine *machine, const hd_program_registry *programs)
{
    const hd_programs_asked asked = hd_program_registry_asked(programs);
    kernel_file file;
    int result = HD_EXIT_USAGE;
    if (kernel_file_open_to(&file, d->what, d->last, programs))
        result = print_all(d, file.program, machine, &asked);
    kernel_file_close(&file);
    return result;
}

static int show_file(const disassembly *d)
{
    hd_program_registry *programs = hd_program_registry_create();
    if (!programs)
        abort();
    const int result = show(d, NULL, programs);
    hd_program_registry_destroy(programs);
    return result;
}

static int show_for_machine(disassembly *d)
{
    hd_machine *machine = build_machine(d);
    const int result = machine ? show(d, machine, hd_machine_programs(machine)) : HD_EXIT_USAGE;
    hd_machine_close(machine);
    return result;
}

/* 0 after an error. */
static int are_usable(disassembly *d, const char *after)
{
    d->last = after ? step_named(after) : ISA_STEP_ANALYSE;
    if (d->last == ISA_STEP_COUNT)
        return 0;
    if (d->machine || (!d->options.set_count && !d->options.path_count))
        return 1;
    hd_usage_error(NULL, NULL, 0, "--set and --plugin are of a machine: --machine NETLIST says of which");
    return 0;
}

static int disasm(const hd_command *command, int count, char **words)
{
    const char *after = NULL;
    disassembly d = {0};
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {{.name = "--function", .takes_value = 1, .value = &d.function},
                                     {.name = "--after", .takes_value = 1, .value = &after},
                                     {.name = "--machine", .takes_value = 1, .value = &d.machine},
                                     MACHINE_FILE_OPTIONS(&d.options)};
    if (hd_arguments(command, count, words, options, sizeof options / sizeof *options, &d.what, 1, 1) >= 0 &&
        are_usable(&d, after))
        result = d.machine ? show_for_machine(&d) : show_file(&d);
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

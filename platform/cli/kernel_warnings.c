/* SPDX-License-Identifier: MIT */
#include "kernel_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "warp_synchronous.h"

/* Which value of which parameter of a core makes it matter; NULL: it is not said of machines, as it may be false. */
static const struct {
    const char *parameter;
    const char *value;
} concerned[ISA_LINT_COUNT] = {
    [ISA_LINT_DEADLOCK] = {"reconvergence", "stack"},
    [ISA_LINT_STALE_SPIN] = {"l1.global", "cache"},
    [ISA_LINT_DIVERGENT_BARRIER] = {"reconvergence", "stack"},
};

static int block_has(const netlist_block *block, const char *parameter, const char *value)
{
    const hd_block_class *type = block->block_class;
    for (uint32_t i = 0; i < type->parameter_count; i++)
        if (type->parameters[i].type == HD_TYPE_CHOICE && !strcmp(type->parameters[i].name, parameter))
            return !strcmp(block->values[i].text, value);
    return 0;
}

static int concerns(const netlist *machine, uint32_t kind)
{
    if (!concerned[kind].parameter)
        return 0;
    for (uint32_t i = 0; i < machine->block_count; i++)
        if (!strcmp(machine->blocks[i].block_class->kind, "simt_core") &&
            block_has(&machine->blocks[i], concerned[kind].parameter, concerned[kind].value) &&
            (kind != ISA_LINT_DEADLOCK || block_has(&machine->blocks[i], "ssde", "off")))
            return 1;
    return 0;
}

void kernel_warnings_print(const isa_program *program, const isa_finding *findings, uint32_t count, FILE *out)
{
    char text[1024];
    for (uint32_t i = 0; i < count; i++) {
        isa_finding_text(program, &findings[i], text, sizeof text);
        fprintf(out, "warning[%s]: %s\n", isa_lint_name(findings[i].kind), text);
    }
}

/* Has a core a unit that does not keep the lanes of a warp in step? */
static const char *unit_out_of_step(const netlist *machine)
{
    for (uint32_t i = 0; i < machine->block_count; i++) {
        const netlist_block *block = &machine->blocks[i];
        for (uint32_t p = 0; p < block->block_class->parameter_count; p++)
            if (!strcmp(block->block_class->parameters[p].name, "reconvergence") &&
                strcmp(block->values[p].text, "stack") != 0)
                return block->values[p].text;
    }
    return NULL;
}

static void print_warp_synchronous(const isa_program *program, const char *unit, FILE *out)
{
    isa_reliance *found;
    uint32_t count;
    if (isa_warp_synchronous(program, &found, &count))
        abort();
    for (uint32_t i = 0; i < count; i++) {
        char store[128], load[128];
        isa_program_place(program, found[i].store_pc, store, sizeof store);
        isa_program_place(program, found[i].load_pc, load, sizeof load);
        fprintf(out,
                "warning[warp_synchronous]: pc %s: the load relies on what other lanes of its warp have stored at pc "
                "%s, and "
                "reconvergence '%s' does not keep them in step: put simt_warp_sync between\n",
                load, store, unit);
    }
    free(found);
}

void kernel_warnings_print_for(const isa_program *program, const netlist *machine, FILE *out)
{
    static const isa_deadlock_options options = {.divergence = ISA_DIVERGENCE_STACK};
    isa_finding *findings;
    uint32_t count;
    if (isa_lint(program, &options, &findings, &count))
        abort();
    for (uint32_t i = 0; i < count; i++)
        if (concerns(machine, findings[i].kind))
            kernel_warnings_print(program, &findings[i], 1, out);
    free(findings);
    const char *unit = unit_out_of_step(machine);
    if (unit)
        print_warp_synchronous(program, unit, out);
}

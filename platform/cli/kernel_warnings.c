/* SPDX-License-Identifier: MIT */
#include "kernel_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "lint.h"

/* Which value of which parameter of a core makes it matter. */
static const struct {
    const char *parameter;
    const char *value;
} concerned[ISA_LINT_COUNT] = {
    [ISA_LINT_LOCK_LOOP] = {"reconvergence", "stack"},
    [ISA_LINT_STALE_SPIN] = {"l1.global", "cache"},
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
    if (!machine)
        return 1;
    for (uint32_t i = 0; i < machine->block_count; i++)
        if (!strcmp(machine->blocks[i].block_class->kind, "simt_core") &&
            block_has(&machine->blocks[i], concerned[kind].parameter, concerned[kind].value))
            return 1;
    return 0;
}

uint32_t kernel_warnings_print(const isa_program *program, const netlist *machine, FILE *out)
{
    char text[768];
    isa_finding *findings;
    uint32_t count, printed = 0;
    if (isa_lint(program, &findings, &count))
        abort();
    for (uint32_t i = 0; i < count; i++) {
        if (!concerns(machine, findings[i].kind))
            continue;
        isa_finding_text(program, &findings[i], text, sizeof text);
        fprintf(out, "warning[%s]: %s\n", isa_lint_name(findings[i].kind), text);
        printed++;
    }
    free(findings);
    return printed;
}

/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include <stdio.h>

#include "compose.h"
#include "declaration.h"

static void print_finding(void *context, const char *sentence)
{
    const hd_block_class *block_class = context;
    fprintf(stderr, "conformance of %s/%s: %s\n", block_class->kind, block_class->type, sentence);
}

/* Units of its slots that lack a function. */
static uint32_t check_units(const hd_block_class *block_class)
{
    char text[160];
    uint32_t findings = 0;
    for (uint32_t s = 0; s < block_class->unit_slot_count; s++)
        for (uint32_t i = 0; i < block_class->unit_slots[s].unit_count; i++) {
            const hd_unit *unit = block_class->unit_slots[s].units[i];
            const char *lacking = unit_lacks(unit, &block_class->unit_slots[s]);
            if (!lacking)
                continue;
            snprintf(text, sizeof text, "unit %s/%s has no function '%s'", unit->kind, unit->name, lacking);
            print_finding((void *)(uintptr_t)block_class, text);
            findings++;
        }
    return findings;
}

uint32_t kit_check_declaration(const hd_block_class *block_class)
{
    uint32_t findings = 0;
    if (block_class->abi_version != HD_ABI_VERSION || block_class->struct_bytes != sizeof *block_class) {
        print_finding((void *)(uintptr_t)block_class, "abi_version or struct_bytes is not that of this interface");
        findings++;
    }
    return findings + check_units(block_class) +
           hd_check_declaration(block_class, 0, print_finding, (void *)(uintptr_t)block_class);
}

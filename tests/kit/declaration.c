/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include <stdio.h>

#include "declaration.h"

static void print_finding(void *context, const char *sentence)
{
    const hd_block_class *block_class = context;
    fprintf(stderr, "conformance of %s/%s: %s\n", block_class->kind, block_class->type, sentence);
}

uint32_t kit_check_declaration(const hd_block_class *block_class)
{
    uint32_t findings = 0;
    if (block_class->abi_version != HD_ABI_VERSION || block_class->struct_bytes != sizeof *block_class) {
        print_finding((void *)(uintptr_t)block_class, "abi_version or struct_bytes is not that of this interface");
        findings++;
    }
    return findings + hd_check_declaration(block_class, 0, print_finding, (void *)(uintptr_t)block_class);
}

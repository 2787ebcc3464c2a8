/* SPDX-License-Identifier: MIT */
/*
 * Operations that lanes execute together, or that pair with others: each call in the source becomes an instruction with a number of its own,
 * by which the compiler cannot merge two of them, and the loader finds those that it has copied (docs/isa.md).
 */
#ifndef KERNELC_SITES_H
#define KERNELC_SITES_H

#include "ir_text.h"
#include "text.h"

typedef struct ir_sites {
    uint32_t count;  /* so far */
    hd_text defined; /* functions that the program gets for them */
} ir_sites;

/* Is a function of that name, "@barrier" as LLVM calls it, such an operation? */
int sites_has(ir_piece name);
/* Makes one for a call of it. Its name without the @, in text. */
#define SITE_NAME_BYTES 32u
void sites_add(ir_sites *sites, ir_piece name, char *text);

/* Functions of the program in which there are some, also by what they call, and that are called from several places: inlined into each
 * of them they would be copies. Names with their @. */
ir_list sites_shared_functions(arena *memory, ir_piece program);

#endif

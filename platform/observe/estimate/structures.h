/* SPDX-License-Identifier: MIT */
/* What is known about structures, and how their size follows from a block's parameters. */
#ifndef ESTIMATE_STRUCTURES_H
#define ESTIMATE_STRUCTURES_H

#include "netlist.h"

typedef struct structure {
    const char *name;
    const char *kind; /* of the block that has it */
    const char *type;
    const char *choice; /* a parameter that must have this value, or NULL */
    const char *value;
    /* Bytes of all instances of the block. */
    double (*bytes)(const netlist_block *block);
    /* The published one. */
    double reference_bytes;
    double square_millimetres;
    double milliwatts;
    double megahertz; /* its clock */
} structure;

extern const structure structures[];
extern const uint32_t structure_count;
#define STRUCTURES_SOURCE "Ren & Lis 2018, Table V"
#define STRUCTURES_PROCESS "32 nm"

/* Value of a parameter that the class has; text of a choice. */
uint64_t structure_number(const netlist_block *block, const char *parameter);
const char *structure_choice(const netlist_block *block, const char *parameter);

#endif

/* SPDX-License-Identifier: MIT */
/* What the parts of a comparison share. */
#ifndef COMPARE_PARTS_H
#define COMPARE_PARTS_H

#include <jansson.h>

#include "comparison.h"

#define COMPARE_SLOTS "slots_" /* what issue slots went into begins so */

typedef struct comparing {
    comparison *result;
    const json_t *results[2];
    netlist_registry classes;
    uint32_t difference_capacity;
    uint32_t statistic_capacity;
} comparing;

/* Each fills its part of the result. */
void compare_machines(comparing *at);
void compare_links(comparing *at, const json_t *machines[2]);
void compare_kernels(comparing *at);
void compare_cycles(comparing *at);
void compare_statistics(comparing *at);

/* What comes first follows from the values: to be done again when they are means. */
void compare_rank_cycles(comparison *of);
void compare_rank_statistics(comparison *of);

void compare_add_difference(comparing *at, const char *what, const char *a, const char *b, int is_consequence);
/* The same for values; NULL is none, and equal ones are no difference. */
void compare_values(comparing *at, const char *what, const json_t *a, const json_t *b);
/* The pairs of two mappings, as PREFIX.NAME. */
void compare_pairs(comparing *at, const char *prefix, const json_t *a, const json_t *b);
/* A value as a text of the comparison's own. */
const char *compare_text(comparing *at, const json_t *value);

/* The block of that name in a machine, or NULL. */
const json_t *compare_block(const json_t *machine, const char *name);
/* What is compared of a block: names and numbers; NULL if there is none. */
const json_t *compare_values_of(const comparing *at, int side, const char *block);

/* The member's text, "" if there is none. */
const char *compare_member(const json_t *object, const char *key);
uint64_t compare_number(const json_t *object, const char *key);

#endif

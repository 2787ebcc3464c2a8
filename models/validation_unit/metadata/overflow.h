/* SPDX-License-Identifier: MIT */
/*
 * The list in main memory for what has to be kept and has room nowhere else; the latest is its head. It stands for memory of
 * the machine, so it grows as it has to.
 */
#ifndef VALIDATION_UNIT_OVERFLOW_H
#define VALIDATION_UNIT_OVERFLOW_H

#include "entry.h"

typedef struct overflow {
    metadata_entry *entries; /* the head is the last */
    uint32_t capacity;
    uint32_t used;
} overflow;

void overflow_destroy(overflow *list);
void overflow_reset(overflow *list);

metadata_entry *overflow_find(const overflow *list, uint64_t granule); /* or NULL */
/* Nodes from the head up to and with this one; NULL: all. */
uint32_t overflow_walk(const overflow *list, const metadata_entry *entry);
void overflow_push(overflow *list, const metadata_entry *entry);
void overflow_remove(overflow *list, metadata_entry *entry);
uint32_t overflow_holds(const overflow *list, const metadata_entry *entry); /* is this a node of it? */

#endif

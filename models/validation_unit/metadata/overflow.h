/* SPDX-License-Identifier: MIT */
/*
 * The list in main memory for entries that must stay precise but fit nowhere else; the latest is its head. It represents
 * memory of the machine, so it grows as needed.
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
/* Number of nodes from the head up to and including this one; NULL: all. */
uint32_t overflow_walk(const overflow *list, const metadata_entry *entry);
void overflow_push(overflow *list, const metadata_entry *entry);
void overflow_remove(overflow *list, metadata_entry *entry);
uint32_t overflow_holds(const overflow *list, const metadata_entry *entry); /* whether it is a node of the list */

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Lists in main memory for what has to be kept and has room nowhere else; the latest entry of a list is its head. A hash
 * function says in which list a granule is, and a bit for each list, in the unit, whether there is anything in it: a spill to
 * memory like that of Ananian et al. (Unbounded TM), to which Ren & Lis 2018 §V-B1 refers. One list is the paper's own. Lists stand for memory
 * of the machine, so they grow as they have to.
 */
#ifndef VALIDATION_UNIT_OVERFLOW_H
#define VALIDATION_UNIT_OVERFLOW_H

#include "entry.h"
#include "hd_h3.h"

typedef struct overflow_node {
    metadata_entry entry; /* free: NO_GRANULE */
    uint32_t next;        /* number of a node, OVERFLOW_END = none */
    uint32_t reserved;
} overflow_node;
#define OVERFLOW_END UINT32_MAX

typedef struct overflow {
    overflow_node *nodes;
    uint32_t *heads; /* of lists: numbers of nodes */
    uint32_t lists;
    uint32_t line; /* entries that one access to memory brings */
    uint32_t free; /* first node that is free, or OVERFLOW_END */
    uint32_t capacity;
    uint32_t used;
    hd_h3 hash;
} overflow;

/* 0: out of memory. */
uint32_t overflow_create(overflow *overflow, uint32_t lists, uint32_t line, uint64_t *seed);
void overflow_destroy(overflow *overflow);
void overflow_reset(overflow *overflow);
/* Nodes for so many, at least; what they are is the caller's to say. */
void overflow_make_room(overflow *overflow, uint32_t capacity);

metadata_entry *overflow_find(const overflow *overflow, uint64_t granule); /* or NULL */
/* Accesses to memory until the granule is found, or is known not to be there; 0: nothing is in its list. */
uint32_t overflow_walk(const overflow *overflow, uint64_t granule);
void overflow_push(overflow *overflow, const metadata_entry *entry);
void overflow_remove(overflow *overflow, const metadata_entry *entry);
uint32_t overflow_holds(const overflow *overflow, const metadata_entry *entry); /* is this one of its entries? */

#endif

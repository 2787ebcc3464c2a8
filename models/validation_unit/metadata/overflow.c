/* SPDX-License-Identifier: MIT */
#include "overflow.h"

#include <stdlib.h>
#include <string.h>

uint32_t overflow_create(overflow *overflow, uint32_t lists, uint32_t line, uint64_t *seed)
{
    overflow->lists = lists;
    overflow->line = line;
    overflow->heads = malloc(lists * sizeof *overflow->heads);
    hd_h3_draw(&overflow->hash, seed);
    return overflow->heads != NULL;
}

void overflow_destroy(overflow *overflow)
{
    free(overflow->nodes);
    free(overflow->heads);
}

/* The nodes from `first` on are all that are free. */
static void free_from(overflow *overflow, uint32_t first)
{
    overflow->free = first < overflow->capacity ? first : OVERFLOW_END;
    for (uint32_t i = first; i < overflow->capacity; i++) {
        overflow->nodes[i].entry.granule = NO_GRANULE;
        overflow->nodes[i].next = i + 1 < overflow->capacity ? i + 1 : OVERFLOW_END;
    }
}

void overflow_reset(overflow *overflow)
{
    memset(overflow->heads, 0xFF, overflow->lists * sizeof *overflow->heads);
    free_from(overflow, 0);
    overflow->used = 0;
}

static uint32_t *head_of(const overflow *overflow, uint64_t granule)
{
    return &overflow->heads[overflow->lists == 1 ? 0 : hd_h3_hash(&overflow->hash, granule) % overflow->lists];
}

/* Number of the granule's node, or OVERFLOW_END; *passed: nodes of the list up to and with it. */
static uint32_t seek(const overflow *overflow, uint64_t granule, uint32_t *passed)
{
    uint32_t node = *head_of(overflow, granule);
    for (*passed = 0; node != OVERFLOW_END; node = overflow->nodes[node].next) {
        ++*passed;
        if (overflow->nodes[node].entry.granule == granule)
            break;
    }
    return node;
}

metadata_entry *overflow_find(const overflow *overflow, uint64_t granule)
{
    uint32_t passed;
    const uint32_t node = overflow->used ? seek(overflow, granule, &passed) : OVERFLOW_END;
    return node == OVERFLOW_END ? NULL : &overflow->nodes[node].entry;
}

uint32_t overflow_walk(const overflow *overflow, uint64_t granule)
{
    uint32_t passed = 0;
    if (overflow->used)
        seek(overflow, granule, &passed);
    return (passed + overflow->line - 1) / overflow->line;
}

void overflow_make_room(overflow *overflow, uint32_t capacity)
{
    if (capacity <= overflow->capacity)
        return;
    overflow->capacity = capacity;
    overflow->nodes = realloc(overflow->nodes, capacity * sizeof *overflow->nodes);
    if (!overflow->nodes)
        abort();
}

static void grow(overflow *overflow)
{
    const uint32_t first = overflow->capacity;
    overflow_make_room(overflow, first ? 2 * first : 16);
    free_from(overflow, first);
}

void overflow_push(overflow *overflow, const metadata_entry *entry)
{
    if (overflow->free == OVERFLOW_END)
        grow(overflow);
    const uint32_t node = overflow->free;
    uint32_t *head = head_of(overflow, entry->granule);
    overflow->free = overflow->nodes[node].next;
    overflow->nodes[node] = (overflow_node){.entry = *entry, .next = *head};
    *head = node;
    overflow->used++;
}

void overflow_remove(overflow *overflow, const metadata_entry *entry)
{
    uint32_t *to = head_of(overflow, entry->granule);
    while (&overflow->nodes[*to].entry != entry)
        to = &overflow->nodes[*to].next;
    overflow_node *node = &overflow->nodes[*to];
    const uint32_t number = *to;
    *to = node->next;
    node->entry.granule = NO_GRANULE;
    node->next = overflow->free;
    overflow->free = number;
    overflow->used--;
}

uint32_t overflow_holds(const overflow *overflow, const metadata_entry *entry)
{
    const char *at = (const char *)entry, *nodes = (const char *)overflow->nodes;
    return overflow->used && at >= nodes && at < nodes + overflow->capacity * sizeof *overflow->nodes;
}

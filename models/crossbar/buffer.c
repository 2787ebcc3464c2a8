/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "state.h"

/* A packet for many outputs takes a node for each: an empty buffer has enough. */
uint32_t buffer_nodes(uint32_t depth)
{
    return depth + 64;
}

uint32_t buffer_create(struct buffer *buffer, uint32_t depth, uint32_t lists)
{
    const uint32_t nodes = buffer_nodes(depth);
    buffer->entries = calloc(depth, sizeof *buffer->entries);
    buffer->free_entries = calloc(depth, sizeof *buffer->free_entries);
    buffer->nodes = calloc(nodes, sizeof *buffer->nodes);
    buffer->free_nodes = calloc(nodes, sizeof *buffer->free_nodes);
    buffer->lists = calloc(lists, sizeof *buffer->lists);
    return buffer->entries && buffer->free_entries && buffer->nodes && buffer->free_nodes && buffer->lists;
}

void buffer_destroy(struct buffer *buffer)
{
    free(buffer->entries);
    free(buffer->free_entries);
    free(buffer->nodes);
    free(buffer->free_nodes);
    free(buffer->lists);
}

void buffer_reset(struct buffer *buffer, uint32_t depth, uint32_t lists)
{
    buffer->free_entry_count = depth;
    for (uint32_t i = 0; i < depth; i++) {
        buffer->entries[i].packet = NULL;
        buffer->free_entries[i] = (uint16_t)(depth - 1 - i);
    }
    buffer->free_node_count = buffer_nodes(depth);
    for (uint32_t i = 0; i < buffer->free_node_count; i++)
        buffer->free_nodes[i] = (uint16_t)i;
    for (uint32_t i = 0; i < lists; i++)
        buffer->lists[i] = (struct list){LIST_END, LIST_END};
}

uint32_t buffer_has_room(const struct buffer *buffer, uint32_t nodes)
{
    return buffer->free_entry_count && buffer->free_node_count >= nodes;
}

struct entry *buffer_add(struct buffer *buffer)
{
    return &buffer->entries[buffer->free_entries[--buffer->free_entry_count]];
}

void buffer_remove(struct buffer *buffer, struct entry *entry)
{
    entry->packet = NULL;
    buffer->free_entries[buffer->free_entry_count++] = (uint16_t)(entry - buffer->entries);
}

uint32_t buffer_append(struct buffer *buffer, struct entry *entry, uint32_t list)
{
    struct list *at = &buffer->lists[list];
    const uint16_t node = buffer->free_nodes[--buffer->free_node_count];
    const uint32_t was_empty = at->first == LIST_END;
    buffer->nodes[node] = (struct node){(uint16_t)(entry - buffer->entries), LIST_END};
    if (was_empty)
        at->first = node;
    else
        buffer->nodes[at->last].next = node;
    at->last = node;
    return was_empty;
}

struct entry *buffer_first(const struct buffer *buffer, uint32_t list)
{
    return &buffer->entries[buffer->nodes[buffer->lists[list].first].entry];
}

uint32_t buffer_advance(struct buffer *buffer, uint32_t list)
{
    struct list *at = &buffer->lists[list];
    const uint16_t node = at->first;
    at->first = buffer->nodes[node].next;
    buffer->free_nodes[buffer->free_node_count++] = node;
    return at->first == LIST_END;
}

/* SPDX-License-Identifier: MIT */
#include "windows.h"

#include "hd_address.h"
#include "hd_extension.h"

#include <stdlib.h>
#include <string.h>

static uint32_t port_index(const hd_block_class *block_class, const char *name)
{
    for (uint32_t i = 0; name && i < block_class->port_count; i++) {
        if (strcmp(block_class->ports[i].name, name) == 0)
            return i;
    }
    return NETLIST_NONE;
}

static uint64_t value_of(const netlist_block *block, const char *parameter, uint64_t without)
{
    for (uint32_t i = 0; parameter && i < block->block_class->parameter_count; i++) {
        if (strcmp(block->block_class->parameters[i].name, parameter) == 0)
            return block->values[i].u;
    }
    return without;
}

static uint64_t last_address(uint64_t base, hd_u128 bytes)
{
    hd_u128 last = base + bytes - 1;
    return last > UINT64_MAX ? UINT64_MAX : (uint64_t)last;
}

static uint32_t room(const netlist *machine)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < machine->block_count; b++)
        count += machine->blocks[b].block_class->window_count;
    return count;
}

netlist_window *netlist_windows(const netlist *machine, arena *memory, uint32_t *count)
{
    netlist_window *windows = arena_alloc(memory, room(machine) * sizeof *windows + 1);
    *count = 0;
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const netlist_block *block = &machine->blocks[b];
        for (uint32_t w = 0; w < block->block_class->window_count; w++) {
            const hd_window *declared = &block->block_class->windows[w];
            const hd_u128 bytes = (hd_u128)declared->bytes * value_of(block, declared->parameter, 1);
            const uint64_t base = declared->base + value_of(block, declared->base_parameter, 0);
            if (!bytes)
                continue;
            windows[(*count)++] = (netlist_window){.declared = declared,
                                                   .block = b,
                                                   .port = port_index(block->block_class, declared->port),
                                                   .first = base,
                                                   .last = last_address(base, bytes)};
        }
    }
    return windows;
}

static uint64_t memory_end_of(const netlist_window *window)
{
    if (window->port != NETLIST_NONE || window->first < HD_GLOBAL_BASE || window->first >= HD_PHYSICAL_CONTEXT_BASE)
        return 0;
    return window->last < HD_PHYSICAL_CONTEXT_BASE ? window->last + 1 : HD_PHYSICAL_CONTEXT_BASE;
}

uint64_t netlist_memory_end(const netlist *machine)
{
    arena memory = {0};
    uint32_t count;
    uint64_t last = 0;
    const netlist_window *windows = netlist_windows(machine, &memory, &count);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t end = memory_end_of(&windows[i]);
        last = end > last ? end : last;
    }
    arena_free(&memory);
    return last;
}

static int share_a_space(const netlist_window *a, const netlist_window *b)
{
    return a->port == NETLIST_NONE || b->port == NETLIST_NONE || (a != b && a->block == b->block && a->port == b->port);
}

int netlist_windows_collide(const netlist_window *a, const netlist_window *b)
{
    if (a->declared->flags & b->declared->flags & HD_WINDOW_SHARED)
        return 0;
    return share_a_space(a, b) && a->first <= b->last && b->first <= a->last;
}

/* ---- Behind a port ------------------------------------------------------------------------------------------------ */

#define BUSES_MAX 8u /* one behind the other; more is a circle */

typedef struct behind {
    const netlist *machine;
    const netlist_window *windows;
    uint32_t window_count;
    netlist_bus_window *found;
    uint32_t capacity;
    uint32_t count;
} behind;

static void add_windows(behind *at, const netlist_end *target, uint32_t element)
{
    for (uint32_t w = 0; w < at->window_count; w++) {
        const netlist_window *window = &at->windows[w];
        const int is_shown = window->port == target->port || window->port == NETLIST_NONE;
        if (window->block != target->block || !is_shown)
            continue;
        if (at->count < at->capacity)
            at->found[at->count] = (netlist_bus_window){.element = element, .window = window};
        at->count++;
    }
}

static void find_behind(behind *at, const netlist_end *from, uint32_t through, uint32_t depth)
{
    for (uint32_t l = 0; l < at->machine->link_count; l++) {
        const netlist_link *link = &at->machine->links[l];
        if (link->from.block != from->block || link->from.instance != from->instance || !link->is_memory)
            continue;
        if (depth == 0 && link->from.port != from->port)
            continue;
        const uint32_t element = depth == 0 ? link->from.element : through;
        add_windows(at, &link->to, element);
        if (at->machine->blocks[link->to.block].block_class->flags & HD_BLOCK_DECODES && depth < BUSES_MAX)
            find_behind(at, &link->to, element, depth + 1);
    }
}

static int by_address(const void *a, const void *b)
{
    const netlist_window *first = ((const netlist_bus_window *)a)->window;
    const netlist_window *second = ((const netlist_bus_window *)b)->window;
    return first->first < second->first ? -1 : first->first > second->first;
}

netlist_bus_window *netlist_windows_behind(const netlist *machine, uint32_t block, uint32_t instance, uint32_t port,
                                           arena *memory, uint32_t *count)
{
    const netlist_end from = {.block = block, .instance = instance, .port = port};
    behind at = {.machine = machine};
    at.windows = netlist_windows(machine, memory, &at.window_count);
    find_behind(&at, &from, 0, 0);
    at.found = arena_alloc(memory, at.count * sizeof *at.found + 1);
    at.capacity = at.count;
    at.count = 0;
    find_behind(&at, &from, 0, 0);
    qsort(at.found, at.count, sizeof *at.found, by_address);
    *count = at.count;
    return at.found;
}

uint32_t netlist_bus_map(const netlist *machine, uint32_t block, uint32_t instance, uint32_t port,
                         struct hd_bus_window *windows, uint32_t capacity)
{
    uint32_t count;
    arena memory = {0};
    const netlist_bus_window *found = netlist_windows_behind(machine, block, instance, port, &memory, &count);
    for (uint32_t i = 0; i < count && i < capacity; i++)
        windows[i] = (hd_bus_window){
            .first = found[i].window->first, .last = found[i].window->last, .element = found[i].element};
    arena_free(&memory);
    return count;
}

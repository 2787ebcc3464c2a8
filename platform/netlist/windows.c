/* SPDX-License-Identifier: MIT */
#include "windows.h"

#include <string.h>

static uint32_t port_index(const hd_block_class *block_class, const char *name)
{
    for (uint32_t i = 0; name && i < block_class->port_count; i++) {
        if (strcmp(block_class->ports[i].name, name) == 0)
            return i;
    }
    return NETLIST_NONE;
}

static uint64_t units(const netlist_block *block, const char *parameter)
{
    for (uint32_t i = 0; parameter && i < block->block_class->parameter_count; i++) {
        if (strcmp(block->block_class->parameters[i].name, parameter) == 0)
            return block->values[i].u;
    }
    return 1;
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
    netlist_window *windows = netlist_alloc(memory, room(machine) * sizeof *windows + 1);
    *count = 0;
    for (uint32_t b = 0; b < machine->block_count; b++) {
        const netlist_block *block = &machine->blocks[b];
        for (uint32_t w = 0; w < block->block_class->window_count; w++) {
            const hd_window *declared = &block->block_class->windows[w];
            hd_u128 bytes = (hd_u128)declared->bytes * units(block, declared->parameter);
            if (!bytes)
                continue;
            windows[(*count)++] = (netlist_window){.declared = declared,
                                                   .block = b,
                                                   .port = port_index(block->block_class, declared->port),
                                                   .first = declared->base,
                                                   .last = last_address(declared->base, bytes)};
        }
    }
    return windows;
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

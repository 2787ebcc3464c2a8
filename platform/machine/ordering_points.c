/* SPDX-License-Identifier: MIT */
#include "ordering_points.h"

#include <stdlib.h>

static uint32_t tapped_port(const hd_block_class *block_class)
{
    for (uint32_t port = 0; port < block_class->port_count; port++)
        if (block_class->ports[port].direction == HD_PORT_TAPPED)
            return port;
    return UINT32_MAX;
}

/* Taps of the netlist on that instance. */
static uint32_t taps_bound(const netlist *list, uint32_t block, uint32_t instance)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->link_count; i++)
        count +=
            list->links[i].is_tap && list->links[i].from.block == block && list->links[i].from.instance == instance;
    return count;
}

ordering_points ordering_points_find(const hd_machine *machine)
{
    const netlist *list = machine->netlist;
    ordering_points points = {.taps = calloc(list->endpoint_count + 1, sizeof *points.taps)};
    if (!points.taps)
        abort();
    for (uint32_t block = 0; block < list->block_count; block++) {
        const uint32_t port = tapped_port(list->blocks[block].block_class);
        for (uint32_t i = 0; i < list->blocks[block].count && port != UINT32_MAX; i++)
            points.taps[points.count++] =
                (hd_tlm_tap){.block = machine->endpoints[list->blocks[block].first_endpoint + i],
                             .port = port,
                             .element = taps_bound(list, block, i)};
    }
    return points;
}

void ordering_taps_add(ordering_taps *taps, const ordering_points *points, const struct hd_tap *tap, void *listener,
                       hd_block *(*of)(void *listener, uint32_t point))
{
    taps->taps = realloc(taps->taps, (taps->count + points->count + 1) * sizeof *taps->taps);
    if (!taps->taps)
        abort();
    for (uint32_t i = 0; i < points->count; i++) {
        hd_tlm_tap *added = &taps->taps[taps->count++];
        *added = points->taps[i];
        added->element += taps->listeners;
        added->tap = tap;
        added->context = of(listener, i);
    }
    taps->listeners++;
}

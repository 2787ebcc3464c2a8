/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "front.h"
#include "hd_address.h"
#include "hd_direct.h"
#include "hd_link.h"

/* Partitions are dealt out to the channels in order; with one channel for each, channel i holds partition i. */
static uint32_t is_ours(const struct dram_front *front, uint64_t address)
{
    const hd_address_map *map = front->store.map;
    if (address >= HD_HOST_MMIO_BASE)
        return 0;
    if (!map)
        return 1;
    return (uint64_t)hd_partition_of(map, address) * front->services->count / map->partitions == front->services->index;
}

uint32_t dram_front_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    struct dram_front *front = (struct dram_front *)block;
    if (!is_ours(front, address))
        return 0;
    if (front->store.map) {
        const uint32_t side_by_side = hd_partition_run(front->store.map);
        const uint64_t left = side_by_side - address % side_by_side;
        bytes = bytes < left ? bytes : (uint32_t)left;
    }
    if (is_write)
        dram_store_write(&front->store, address, data, NULL, bytes);
    else
        dram_store_read(&front->store, address, data, bytes);
    return bytes;
}

uint32_t dram_front_has_work(hd_block *block)
{
    const struct dram_front *front = (const struct dram_front *)block;
    uint32_t has_work = front->waiting > 0;
    for (uint32_t i = 0; i < front->port_count && !has_work; i++) {
        const struct dram_port *port = &front->ports[i];
        has_work = port->response_count > 0 || hd_link_arrival(port->requests_in) != HD_NEVER;
    }
    return has_work;
}

void dram_front_describe(hd_block *block, const hd_text_sink *sink)
{
    const struct dram_front *front = (const struct dram_front *)block;
    for (uint32_t i = 0; i < front->port_count; i++) {
        const struct dram_port *port = &front->ports[i];
        if (port->response_count > 0)
            sink->line(sink->context, "%" PRIu32 " responses of access[%" PRIu32 "] %s", port->response_count, i,
                       port->stalled_since == UINT64_MAX ? "in the pipeline" : "wait for a credit");
    }
}

static uint32_t range(hd_block *block, uint64_t address, hd_direct_range *range)
{
    struct dram_front *front = (struct dram_front *)block;
    if (!is_ours(front, address))
        return 0;
    range->bytes = dram_store_range(&front->store, address, &range->address, &range->length);
    return 1;
}

const hd_holder dram_front_holder = {range};

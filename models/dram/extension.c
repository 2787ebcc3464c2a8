/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "hd_address.h"
#include "hd_direct.h"
#include "state.h"

/* Partitions are dealt out to the channels in order; with one channel for each, channel i holds partition i. */
static uint32_t is_ours(const struct dram *dram, uint64_t address)
{
    const hd_address_map *map = dram->store.map;
    if (address >= HD_HOST_MMIO_BASE)
        return 0;
    if (!map)
        return 1;
    return (uint64_t)hd_partition_of(map, address) * dram->services->count / map->partitions == dram->services->index;
}

uint32_t dram_debug_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write)
{
    struct dram *dram = (struct dram *)block;
    if (!is_ours(dram, address))
        return 0;
    if (dram->store.map) {
        const uint64_t left = dram->store.map->interleave_bytes - address % dram->store.map->interleave_bytes;
        bytes = bytes < left ? bytes : (uint32_t)left;
    }
    if (is_write)
        dram_store_write(&dram->store, address, data, NULL, bytes);
    else
        dram_store_read(&dram->store, address, data, bytes);
    return bytes;
}

static uint32_t has_work(hd_block *block)
{
    const struct dram *dram = (const struct dram *)block;
    return dram->count > 0 || dram->response_count > 0 ||
           dram->services->arrival(dram->services->context, dram->requests_in) != HD_NEVER;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const struct dram *dram = (const struct dram *)block;
    if (dram->count > 0)
        sink->line(sink->context, "%" PRIu32 " requests in the queue, the oldest for address %#" PRIx64, dram->count,
                   dram->entries[dram_oldest(dram)].packet->address);
    if (dram->response_count > 0)
        sink->line(sink->context, "%" PRIu32 " responses %s", dram->response_count,
                   dram->stalled_since == UINT64_MAX ? "in the pipeline" : "wait for a credit");
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct dram *dram = (struct dram *)block;
    (void)sink;
    dram_device_reset(&dram->device, hd_clock_index_at_or_after(dram->services->clock, t));
    dram->is_unchosen = 1;
}

static void mark(hd_block *block)
{
    struct dram *dram = (struct dram *)block;
    dram->statistics[STATISTIC_QUEUE_MAXIMUM] = dram->count;
}

static uint32_t range(hd_block *block, uint64_t address, hd_direct_range *range)
{
    struct dram *dram = (struct dram *)block;
    if (!is_ours(dram, address))
        return 0;
    range->bytes = dram_store_range(&dram->store, address, &range->address, &range->length);
    return 1;
}

const void *dram_extension(hd_block *block, const char *id)
{
    static const hd_holder holder = {range};
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    if (strcmp(id, HD_EXTENSION_HOLDER) == 0)
        return &holder;
    return hd_ability(id, &pending, &alignment, &marking);
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "hd_direct.h"
#include "state.h"

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const struct dram *dram = (const struct dram *)block;
    if (dram->count > 0)
        sink->line(sink->context, "%" PRIu32 " requests in the queue, the oldest for address %#" PRIx64, dram->count,
                   dram->entries[dram->oldest].packet->address);
    dram_front_describe(block, sink);
}

static void each_under_way(hd_block *block, const hd_under_way_sink *sink)
{
    const struct dram *dram = (const struct dram *)block;
    for (uint32_t slot = dram->oldest; slot != DRAM_NO_SLOT; slot = dram->entries[slot].younger)
        sink->write(sink->context, dram->entries[slot].packet, 0);
}

static void mark(hd_block *block)
{
    struct dram *dram = (struct dram *)block;
    dram->statistics[STATISTIC_QUEUE_MAXIMUM] = dram->count;
}

const void *dram_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {dram_front_has_work, describe};
    static const hd_align alignment = {dram_align};
    static const hd_mark marking = {mark};
    static const hd_under_way under_way = {each_under_way};
    (void)block;
    if (strcmp(id, HD_EXTENSION_UNDER_WAY) == 0)
        return &under_way;
    if (strcmp(id, HD_EXTENSION_HOLDER) == 0)
        return &dram_front_holder;
    if (strcmp(id, HD_EXTENSION_STATE) == 0)
        return &dram_state;
    return hd_ability(id, &pending, &alignment, &marking);
}

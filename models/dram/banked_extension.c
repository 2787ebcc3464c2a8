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
    (void)block;
    if (strcmp(id, HD_EXTENSION_HOLDER) == 0)
        return &dram_front_holder;
    return hd_ability(id, &pending, &alignment, &marking);
}

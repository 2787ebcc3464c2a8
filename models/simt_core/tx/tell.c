/* SPDX-License-Identifier: MIT */
/* What lanes that commit have read and written, for whoever checks it. */
#include "tx/tx.h"

static uint32_t add_reads(const tx_log *log, uint32_t lane, hd_transaction_word *words)
{
    uint32_t count = 0;
    for (uint32_t entry = 0; entry < log->length; entry++) {
        const size_t at = tx_log_at(log, entry, lane);
        if (log->mask[entry] >> lane & 1 && log->bytes[at])
            words[count++] = (hd_transaction_word){.address = log->address[at],
                                                   .value = log->value[at],
                                                   .byte_mask = log->bytes[at],
                                                   .sample = log->sample[at]};
    }
    return count;
}

static uint32_t is_newest(const tx_log *log, uint32_t lane, uint32_t entry)
{
    return tx_log_find(log, lane, log->address[tx_log_at(log, entry, lane)]) == entry;
}

static uint32_t add_writes(const tx_log *log, uint32_t lane, hd_transaction_word *words)
{
    uint32_t count = 0;
    for (uint32_t entry = 0; entry < log->length; entry++) {
        hd_transaction_word word = {.sample = HD_NO_SAMPLE};
        if (!(log->mask[entry] >> lane & 1) || !is_newest(log, lane, entry))
            continue;
        word.address = log->address[tx_log_at(log, entry, lane)];
        word.byte_mask = tx_log_bytes(log, lane, (uint32_t)word.address, &word.value);
        words[count++] = word;
    }
    return count;
}

static void tell_lane(const transactions *t, uint32_t warp, uint32_t lane, hd_time committed)
{
    const tx_warp *w = &t->warps[warp];
    const simt_core *core = t->core;
    hd_transaction told = {.era = w->era,
                           .order = w->order,
                           .attempt = w->attempt,
                           .warp = tx_global_warp(t, warp),
                           .lane = lane,
                           .epoch = w->epoch,
                           .pc = w->begin_pc,
                           .module = core->blocks[core->warps[warp].block].launch.grid.module,
                           .begun = w->begun,
                           .committed = committed,
                           .reads = t->words};
    told.read_count = add_reads(&w->reads, lane, t->words);
    told.writes = t->words + told.read_count;
    told.write_count = add_writes(&w->writes, lane, t->words + told.read_count);
    t->told->committed(t->told->context, core->services->endpoint, &told);
}

void tx_tell(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed)
{
    for (uint64_t left = t->told ? lanes : 0; left; left &= left - 1)
        tell_lane(t, warp, (uint32_t)__builtin_ctzll(left), committed);
}

/* SPDX-License-Identifier: MIT */
/* What lanes that commit have read and written, for whoever checks it. */
#include "tx/tx.h"

#include <stdlib.h>

/* Room for one more; the run cannot go on without. */
static void *with_room(void *items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return items;
    *capacity = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(items, *capacity * bytes);
    if (!grown)
        abort();
    return grown;
}

/* ---- The program's view ------------------------------------------------------------------------------------------------ */

static uint32_t value_of(const memory_access *access, uint32_t lane)
{
    return access->data[lane] << 8 * (access->address[lane] % 4);
}

void tx_record_access(transactions *t, const memory_access *access, uint64_t lanes, uint32_t entry)
{
    tx_warp *w = &t->warps[access->warp];
    for (uint64_t left = t->told ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        w->records = with_room(w->records, w->record_count, &w->record_capacity, sizeof *w->records);
        w->records[w->record_count++] =
            (tx_record){.access = {.address = access->address[lane] & ~3u,
                                   .value = value_of(access, lane),
                                   .byte_mask = (uint8_t)tx_access_bytes(access, lane),
                                   .is_store = access->instruction->instruction_class == ISA_CLASS_STORE},
                        .lane = lane,
                        .entry = entry};
    }
}

static tx_record *awaited(tx_warp *w, uint32_t lane, uint32_t entry)
{
    size_t i = w->record_count;
    while (i > 0 && (w->records[i - 1].lane != lane || w->records[i - 1].entry != entry))
        i--;
    return i > 0 ? &w->records[i - 1] : NULL;
}

void tx_record_values(void *context, const memory_access *access, uint64_t lanes)
{
    transactions *t = context;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        tx_record *record = awaited(&t->warps[access->warp], lane, access->log_entry);
        if (record)
            record->access.value = value_of(access, lane);
    }
}

static uint32_t gather_accesses(transactions *t, const tx_warp *w, uint32_t lane)
{
    size_t count = 0;
    for (size_t i = 0; i < w->record_count; i++) {
        if (w->records[i].lane != lane)
            continue;
        t->accesses = with_room(t->accesses, count, &t->access_capacity, sizeof *t->accesses);
        t->accesses[count++] = w->records[i].access;
    }
    return (uint32_t)count;
}

/* ---- The protocol's ------------------------------------------------------------------------------------------------------ */

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

static void add_logs(transactions *t, const tx_warp *w, uint32_t lane, hd_transaction *told)
{
    told->read_count = add_reads(&w->reads, lane, t->words);
    told->writes = t->words + told->read_count;
    told->write_count = add_writes(&w->writes, lane, t->words + told->read_count);
    told->access_count = gather_accesses(t, w, lane);
    told->accesses = t->accesses;
}

static void report_lane(transactions *t, uint32_t warp, uint32_t lane, hd_time committed)
{
    const tx_warp *w = &t->warps[warp];
    const tx_core *core = &t->core;
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    hd_transaction told = {.era = w->era,
                           .order = w->order,
                           .attempt = w->attempt,
                           .warp = tx_global_warp(t, warp),
                           .lane = lane,
                           .epoch = w->epoch,
                           .pc = w->begin_pc,
                           .module = core->port->block_of(core->context, warp).grid->module,
                           .rule = protocol->unit->serial_rule,
                           .is_on_scratchpad = w->domain == TX_SCRATCHPAD,
                           .begun = w->begun,
                           .committed = committed,
                           .reads = t->words};
    if (w->domain == TX_SCRATCHPAD && protocol->unit->report)
        protocol->unit->report(protocol->state, warp, lane, &told);
    else
        add_logs(t, w, lane, &told);
    t->told->committed(t->told->context, core->services->endpoint, &told);
}

void transactions_report_commits(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed)
{
    t->core.port->lanes_count(t->core.context, warp, lanes);
    for (uint64_t left = t->told ? lanes : 0; left; left &= left - 1)
        report_lane(t, warp, (uint32_t)__builtin_ctzll(left), committed);
}

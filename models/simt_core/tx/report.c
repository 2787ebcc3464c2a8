/* SPDX-License-Identifier: MIT */
/* What lanes that commit have read and written, for whoever checks it. */
#include "instruction_places.h"
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

static tx_record *add_record(tx_warp *w)
{
    w->records = with_room(w->records, w->record_count, &w->record_capacity, sizeof *w->records);
    return &w->records[w->record_count++];
}

void tx_record_access(transactions *t, const memory_access *access, uint64_t lanes, uint32_t entry)
{
    for (uint64_t left = t->told ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        *add_record(&t->warps[access->warp]) =
            (tx_record){.access = {.address = access->address[lane] & ~3u,
                                   .value = tx_access_value(access, lane),
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
            record->access.value = tx_access_value(access, lane);
    }
}

/* ---- Its view of the scratchpad: what is there, and what registers are given ------------------------------------------------ */

void tx_record_moved(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place)
{
    transactions *t = context;
    const tx_block block = t->core.port->block_of(t->core.context, access->warp);
    const uint32_t is_store = access->instruction->instruction_class == ISA_CLASS_STORE;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t offset = (place[lane] - block.scratchpad_offset) & ~3u;
        *add_record(&t->warps[access->warp]) =
            (tx_record){.access = {.address = hd_scratchpad_word(t->core.services->endpoint, block.number, offset),
                                   .value = is_store ? memory_scratchpad_word(t->core.memory, place[lane])
                                                     : tx_access_value(access, lane),
                                   .byte_mask = (uint8_t)tx_access_bytes(access, lane),
                                   .is_store = (uint8_t)is_store},
                        .lane = lane,
                        .entry = TX_NO_ENTRY,
                        .awaits = access->instruction->writes ? access->instruction : NULL};
    }
}

/* A lane has one load in flight for each register at most. */
static tx_record *awaiting(tx_warp *w, uint32_t lane, const isa_instruction *instruction)
{
    size_t i = w->record_count;
    while (i > 0 && (w->records[i - 1].lane != lane || w->records[i - 1].awaits != instruction))
        i--;
    return i > 0 ? &w->records[i - 1] : NULL;
}

void tx_record_loaded(transactions *t, const ticket_state *ticket, uint64_t mask, const uint32_t *value)
{
    tx_warp *w = &t->warps[ticket->warp];
    for (uint64_t left = w->domain == TX_SCRATCHPAD ? mask : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        tx_record *record = awaiting(w, lane, ticket->instruction);
        if (!record)
            continue;
        record->access.value = value[lane] << __builtin_ctz(record->access.byte_mask) * 8;
        record->awaits = NULL;
    }
}

void tx_report_held(const transactions *t, uint32_t warp, uint64_t lanes)
{
    const tx_warp *w = &t->warps[warp];
    if (w->domain != TX_SCRATCHPAD || w->order == HD_NO_ORDER)
        return;
    const uint32_t offset = t->core.port->block_of(t->core.context, warp).scratchpad_offset;
    for (size_t i = 0; i < w->record_count; i++) {
        const tx_record *record = &w->records[i];
        if (!record->access.is_store || !(lanes >> record->lane & 1))
            continue;
        const uint32_t place = offset + hd_scratchpad_offset(record->access.address);
        const hd_transaction_word word = {.address = record->access.address,
                                          .value = memory_scratchpad_word(t->core.memory, place),
                                          .byte_mask = 0xF,
                                          .sample = HD_NO_SAMPLE};
        t->told->holds(t->told->context, t->core.services->endpoint, &word, w->order);
    }
}

void tx_block_begins(transactions *t, uint32_t slot, uint32_t was_cleared)
{
    if (t && t->told)
        t->blocks[slot] = (tx_watched_block){.was_cleared = was_cleared};
}

void tx_block_ends(const transactions *t, uint32_t warp)
{
    if (!t || !t->told)
        return;
    const tx_block block = t->core.port->block_of(t->core.context, warp);
    const hd_scratchpad_contents contents = {
        .address = hd_scratchpad_word(t->core.services->endpoint, block.number, 0),
        .count = block.grid->scratchpad_bytes / 4,
        .was_cleared = t->blocks[block.slot].was_cleared,
        .words = (const uint32_t *)(const void *)(memory_scratchpad(t->core.memory) + block.scratchpad_offset)};
    if (t->blocks[block.slot].has_commits)
        t->told->ended(t->told->context, t->core.services->endpoint, &contents);
}

/* ---- Both together ------------------------------------------------------------------------------------------------------- */

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
}

static void report_lane(transactions *t, uint32_t warp, uint32_t lane, hd_time committed)
{
    const tx_warp *w = &t->warps[warp];
    const tx_core *core = &t->core;
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    const tx_block block = core->port->block_of(core->context, warp);
    hd_transaction told = {.era = w->era,
                           .order = w->order,
                           .attempt = w->attempt,
                           .warp = tx_global_warp(t, warp),
                           .lane = lane,
                           .epoch = w->epoch,
                           .pc = w->begin_pc,
                           .module = block.grid->module,
                           .rule = protocol->unit->serial_rule,
                           .is_on_scratchpad = w->domain == TX_SCRATCHPAD,
                           .begun = w->begun,
                           .committed = committed,
                           .reads = t->words};
    if (w->domain == TX_SCRATCHPAD && protocol->unit->report)
        protocol->unit->report(protocol->state, warp, lane, &told);
    else
        add_logs(t, w, lane, &told);
    told.access_count = gather_accesses(t, w, lane);
    told.accesses = t->accesses;
    t->blocks[block.slot].has_commits |= told.is_on_scratchpad;
    t->told->committed(t->told->context, core->services->endpoint, &told);
}

void transactions_report_commits(transactions *t, uint32_t warp, uint64_t lanes, hd_time committed)
{
    t->core.port->lanes_count(t->core.context, warp, lanes);
    for (uint64_t left = t->told ? lanes : 0; left; left &= left - 1)
        report_lane(t, warp, (uint32_t)__builtin_ctzll(left), committed);
}

void tx_records_transfer(tx_warp *w, const struct instruction_places *places, const hd_state_stream *stream)
{
    const size_t count = hd_state_number(stream, w->record_count);
    while (w->record_count < count)
        *add_record(w) = (tx_record){.lane = 0};
    for (size_t i = 0; i < count; i++) {
        HD_STATE_VALUE(stream, w->records[i].access);
        HD_STATE_VALUE(stream, w->records[i].lane);
        HD_STATE_VALUE(stream, w->records[i].entry);
        instruction_transfer(places, &w->records[i].awaits, stream);
    }
}

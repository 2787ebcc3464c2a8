/* SPDX-License-Identifier: MIT */
/* What lanes that commit have read and written in the scratchpad, and what was stored there outside of transactions. */
#include "tx/local/local.h"

#include <stdlib.h>

/* Makes room for one more; the run cannot go on without. */
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

uint64_t local_next_order(local *l)
{
    return ++l->sequence << 16 | l->t->core.services->endpoint;
}

void local_record_accesses(local *l, const memory_access *access, uint64_t lanes, const uint32_t *place)
{
    const uint32_t stores = access->instruction->instruction_class == ISA_CLASS_STORE;
    local_records *records = &l->records[access->warp];
    for (uint64_t left = l->t->told ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        records->items = with_room(records->items, records->count, &records->capacity, sizeof *records->items);
        records->items[records->count++] = (local_record){
            .lane = lane,
            .word = (place[lane] - local_group_of(l, access->warp)->offset) / 4,
            .value = stores ? tx_access_value(access, lane) : memory_scratchpad_word(l->t->core.memory, place[lane]),
            .byte_mask = tx_access_bytes(access, lane),
            .stores = stores};
    }
}

void local_forget_records(local *l, uint32_t warp)
{
    l->records[warp].count = 0;
}

static uint64_t address_of(const local *l, const local_group *group, uint32_t word)
{
    return hd_scratchpad_word(l->t->core.services->endpoint, group->number, 4 * word);
}

/* ---- A lane that commits -------------------------------------------------------------------------------------------------- */

/* Bytes of the word that the lane has stored so far, and their values. */
static hd_transaction_word *own_word(const local *l, uint32_t count, uint64_t address)
{
    for (uint32_t i = 0; i < count; i++)
        if (l->writes[i].address == address)
            return &l->writes[i];
    return NULL;
}

static void add_read(const local *l, hd_transaction *told, const local_record *record, uint64_t address)
{
    const hd_transaction_word *own = own_word(l, told->write_count, address);
    const uint32_t bytes = record->byte_mask & ~(own ? own->byte_mask : 0);
    if (bytes)
        l->reads[told->read_count++] = (hd_transaction_word){
            .address = address, .value = record->value, .byte_mask = bytes, .sample = HD_NO_SAMPLE};
}

static void add_write(const local *l, hd_transaction *told, const local_record *record, uint64_t address)
{
    hd_transaction_word *own = own_word(l, told->write_count, address);
    if (!own) {
        own = &l->writes[told->write_count++];
        *own = (hd_transaction_word){.address = address, .sample = HD_NO_SAMPLE};
    }
    const uint32_t bits = hd_bits_of_bytes(record->byte_mask);
    own->value = (own->value & ~bits) | (record->value & bits);
    own->byte_mask |= record->byte_mask;
}

static void make_room(local *l, size_t count)
{
    if (count <= l->room)
        return;
    l->room = 2 * count;
    l->reads = realloc(l->reads, l->room * sizeof *l->reads);
    l->writes = realloc(l->writes, l->room * sizeof *l->writes);
    if (!l->reads || !l->writes)
        abort();
}

void local_report(tx *unit, uint32_t warp, uint32_t lane, hd_transaction *told)
{
    local *l = (local *)unit;
    const local_records *records = &l->records[warp];
    make_room(l, records->count + 1);
    told->read_count = told->write_count = 0;
    for (size_t i = 0; i < records->count; i++) {
        const local_record *record = &records->items[i];
        if (record->lane != lane)
            continue;
        const uint64_t address = address_of(l, local_group_of(l, warp), record->word);
        if (record->stores)
            add_write(l, told, record, address);
        else
            add_read(l, told, record, address);
    }
    told->reads = l->reads;
    told->writes = l->writes;
}

/* ---- Outside of transactions ------------------------------------------------------------------------------------------------ */

/* What a store wanted to be there; atomics are taken at what they have made of the word. */
static hd_transaction_word stored_word(const local *l, const memory_access *access, uint32_t lane, uint32_t place)
{
    const uint32_t is_store = access->instruction->instruction_class == ISA_CLASS_STORE;
    return (hd_transaction_word){.value = is_store ? tx_access_value(access, lane)
                                                   : memory_scratchpad_word(l->t->core.memory, place),
                                 .byte_mask = is_store ? tx_access_bytes(access, lane) : 0xF,
                                 .sample = HD_NO_SAMPLE};
}

/* A word that a transaction has taken is no one's to compare any more: nothing isolates it from this store. */
void local_changed_plainly(tx *unit, const memory_access *access, uint64_t lanes, const uint32_t *place)
{
    local *l = (local *)unit;
    const local_group *group = local_group_of(l, access->warp);
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t word = (place[lane] - group->offset) / 4;
        hd_transaction_word stored = stored_word(l, access, lane, place[lane]);
        stored.address = address_of(l, group, word);
        l->t->told->stored(l->t->told->context, l->t->core.services->endpoint, &stored, local_next_order(l),
                           group->ownership.set_count && group->ownership.words.states[word] != WORD_UNSET);
    }
}

void local_records_transfer(local_records *records, const hd_state_stream *stream)
{
    const size_t count = hd_state_number(stream, records->count);
    for (; records->count < count; records->count++)
        records->items = with_room(records->items, records->count, &records->capacity, sizeof *records->items);
    HD_STATE_ARRAY(stream, records->items, count);
}

/* SPDX-License-Identifier: MIT */
#include "array_table.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 4u
#define SMALLEST_STRIDE 2u
#define LARGEST_STRIDE 31u

int array_table_create(array_table *table, uint32_t capacity, uint32_t rows)
{
    table->capacity = capacity;
    table->rows = rows;
    table->entries = calloc(capacity ? capacity : 1, sizeof *table->entries);
    table->candidates = calloc(rows, sizeof *table->candidates);
    return table->entries && table->candidates ? 0 : -1;
}

void array_table_destroy(array_table *table)
{
    free(table->entries);
    free(table->candidates);
}

void array_table_reset(array_table *table)
{
    memset(table->entries, 0, table->capacity * sizeof *table->entries);
    memset(table->candidates, 0, table->rows * sizeof *table->candidates);
    table->overflows = 0;
}

/* ---- Ranges -------------------------------------------------------------------------------------------------------- */

static uint32_t overlaps(const array_entry *e, uint32_t first, uint32_t words)
{
    return e->first < first + words && first < e->first + e->words;
}

static uint32_t touches(const array_entry *e, uint32_t first, uint32_t words)
{
    return e->first <= first + words && first <= e->first + e->words;
}

static void extend(array_entry *e, uint32_t first, uint32_t words)
{
    const uint32_t end = e->first + e->words > first + words ? e->first + e->words : first + words;
    e->first = e->first < first ? e->first : first;
    e->words = end - e->first;
    if (e->is_array)
        e->address = (uint64_t)(e->offset + ((int64_t)e->first << e->stride));
}

static uint32_t is_same_array(const array_entry *a, const array_entry *b)
{
    return a->is_array == b->is_array && (!a->is_array || (a->offset == b->offset && a->stride == b->stride));
}

/* Bytes of memory that something with this stride lies in. */
static uint64_t span(uint32_t elements, uint32_t stride)
{
    return ((uint64_t)(elements - 1) << stride) + WORD_BYTES;
}

static uint32_t is_within(uint64_t at, uint64_t own_bytes, uint64_t address, uint64_t bytes)
{
    return at < address + bytes && address < at + own_bytes;
}

/* ---- Loads --------------------------------------------------------------------------------------------------------- */

static uint32_t is_stride(uint64_t distance, uint32_t *stride)
{
    if (!distance || distance & (distance - 1))
        return 0;
    *stride = (uint32_t)__builtin_ctzll(distance);
    return *stride >= SMALLEST_STRIDE && *stride <= LARGEST_STRIDE;
}

/* Do the places go up by the same step from lane to lane? Of one lane any step will do. */
static uint32_t goes_up(const array_access *access, uint64_t *step)
{
    uint32_t lane = (uint32_t)__builtin_ctzll(access->lanes), count = 1;
    for (uint64_t left = access->lanes & (access->lanes - 1); left; left &= left - 1, count++) {
        const uint32_t next = (uint32_t)__builtin_ctzll(left);
        const uint64_t own = access->places[next] - access->places[lane];
        if (count > 1 && own != *step)
            return 0;
        *step = own;
        lane = next;
    }
    return 1;
}

static uint64_t first_place(const array_access *access)
{
    return access->places[__builtin_ctzll(access->lanes)];
}

void array_table_load(array_table *table, const array_access *access)
{
    array_candidate *candidate = &table->candidates[access->row];
    uint64_t step = WORD_BYTES;
    uint32_t stride = 0;
    candidate->valid = 0;
    if (!access->lanes || !goes_up(access, &step) || !is_stride(step, &stride))
        return;
    *candidate = (array_candidate){.valid = 1,
                                   .block = access->block,
                                   .number = access->number,
                                   .stride = stride,
                                   .elements = (uint32_t)__builtin_popcountll(access->lanes),
                                   .lanes = access->lanes,
                                   .address = first_place(access)};
}

void array_table_change(array_table *table, uint32_t row, uint64_t registers)
{
    array_candidate *candidate = &table->candidates[row];
    if (candidate->valid && registers >> candidate->number & 1)
        candidate->valid = 0;
}

/* ---- Stores to the scratchpad ---------------------------------------------------------------------------------------- */

/* NULL: there is none. */
static array_entry *free_entry(array_table *table)
{
    for (uint32_t i = 0; i < table->capacity; i++)
        if (!table->entries[i].valid)
            return &table->entries[i];
    return NULL;
}

static void allocate(array_table *table, const array_entry *added)
{
    array_entry *place = free_entry(table);
    if (place)
        *place = *added;
    else
        table->overflows |= UINT64_C(1) << added->block;
}

/* Another entry of its block that it touches, and that is alike; NULL: there is none. */
static array_entry *like_and_near(array_table *table, const array_entry *e)
{
    for (uint32_t i = 0; i < table->capacity; i++) {
        array_entry *other = &table->entries[i];
        if (other != e && other->valid && other->block == e->block && is_same_array(e, other) &&
            touches(e, other->first, other->words))
            return other;
    }
    return NULL;
}

/* Entries of the block that have come to touch each other become one. */
static void merge(array_table *table, uint32_t block)
{
    for (uint32_t i = 0; i < table->capacity; i++) {
        array_entry *e = &table->entries[i], *other;
        if (!e->valid || e->block != block)
            continue;
        while ((other = like_and_near(table, e))) {
            extend(e, other->first, other->words);
            other->valid = 0;
        }
    }
}

/* Of the entry, what lies before and behind these words; 0: there is no room for both. */
static uint32_t cut(array_table *table, array_entry *e, uint32_t first, uint32_t words)
{
    const uint32_t end = e->first + e->words, from = first + words;
    array_entry behind = *e;
    if (end > from) {
        behind.first = from;
        behind.words = end - from;
        behind.address = (uint64_t)(e->offset + ((int64_t)from << e->stride));
    }
    if (e->first < first && end > from) {
        array_entry *place = free_entry(table);
        if (!place)
            return 0;
        *place = behind;
    }
    if (e->first < first)
        e->words = first - e->first;
    else if (end > from)
        *e = behind;
    else
        e->valid = 0;
    return 1;
}

/* Of entries that these words would change, what they leave as it is. */
static void cut_all(array_table *table, const array_entry *added)
{
    for (uint32_t i = 0; i < table->capacity; i++) {
        array_entry *e = &table->entries[i];
        if (e->valid && e->block == added->block && !is_same_array(e, added) && overlaps(e, added->first, added->words))
            cut(table, e, added->first, added->words);
    }
}

/* Words that have been written, as the part of an array that `added` says, or of none. */
static void add(array_table *table, const array_entry *added)
{
    uint32_t found = 0;
    if (table->retiles)
        cut_all(table, added);
    for (uint32_t i = 0; i < table->capacity; i++) {
        array_entry *e = &table->entries[i];
        if (!e->valid || e->block != added->block)
            continue;
        const uint32_t meets = overlaps(e, added->first, added->words);
        if (is_same_array(e, added) ? !touches(e, added->first, added->words) : !meets)
            continue;
        e->is_array &= is_same_array(e, added);
        extend(e, added->first, added->words);
        found = 1;
    }
    if (!found)
        allocate(table, added);
    merge(table, added->block);
}

void array_table_write(array_table *table, uint32_t block, uint32_t first, uint32_t words)
{
    add(table, &(array_entry){.valid = 1, .block = block, .first = first, .words = words});
}

/* Of words that do not follow one another: each run of them. */
static void write_runs(array_table *table, const array_access *access)
{
    for (uint64_t left = access->lanes; left;) {
        const uint64_t first = access->places[__builtin_ctzll(left)];
        uint64_t next = first;
        for (; left && access->places[__builtin_ctzll(left)] == next; left &= left - 1)
            next++;
        array_table_write(table, access->block, (uint32_t)first, (uint32_t)(next - first));
    }
}

void array_table_store(array_table *table, const array_access *access)
{
    const array_candidate *candidate = &table->candidates[access->row];
    uint64_t step = 1;
    if (!access->lanes)
        return;
    if (!goes_up(access, &step) || step != 1 || !candidate->valid || candidate->number != access->number ||
        candidate->lanes != access->lanes || candidate->block != access->block) {
        write_runs(table, access);
        return;
    }
    const uint32_t first = (uint32_t)first_place(access);
    add(table, &(array_entry){.valid = 1,
                              .block = access->block,
                              .first = first,
                              .words = candidate->elements,
                              .is_array = 1,
                              .stride = candidate->stride,
                              .address = candidate->address,
                              .offset = (int64_t)candidate->address - ((int64_t)first << candidate->stride)});
}

/* ---- What ends arrays ------------------------------------------------------------------------------------------------ */

uint32_t array_entry_meets(const array_entry *entry, uint64_t address, uint64_t bytes)
{
    return entry->is_array && is_within(entry->address, span(entry->words, entry->stride), address, bytes);
}

void array_table_store_global(array_table *table, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < table->capacity; i++) {
        array_entry *e = &table->entries[i];
        if (e->valid && array_entry_meets(e, address, bytes))
            e->is_array = 0;
    }
    for (uint32_t row = 0; row < table->rows; row++) {
        array_candidate *c = &table->candidates[row];
        if (c->valid && is_within(c->address, span(c->elements, c->stride), address, bytes))
            c->valid = 0;
    }
}

static void drop_candidates(array_table *table, uint32_t block)
{
    for (uint32_t row = 0; row < table->rows; row++)
        if (table->candidates[row].block == block)
            table->candidates[row].valid = 0;
}

void array_table_order(array_table *table, uint32_t block)
{
    for (uint32_t i = 0; i < table->capacity; i++)
        if (table->entries[i].block == block)
            table->entries[i].is_array = 0;
    drop_candidates(table, block);
}

void array_table_end(array_table *table, uint32_t block)
{
    for (uint32_t i = 0; i < table->capacity; i++)
        if (table->entries[i].block == block)
            table->entries[i].valid = 0;
    drop_candidates(table, block);
    table->overflows &= ~(UINT64_C(1) << block);
}

void array_table_put(array_table *table, const array_entry *entry)
{
    array_entry own = *entry;
    own.offset = (int64_t)own.address - ((int64_t)own.first << own.stride);
    allocate(table, &own);
}

array_bytes array_table_bytes(const array_table *table, uint32_t block, uint64_t scratchpad_bytes)
{
    uint64_t arrays = 0, others = 0, entries = 0;
    if (table->overflows >> block & 1)
        return (array_bytes){scratchpad_bytes, scratchpad_bytes};
    for (uint32_t i = 0; i < table->capacity; i++) {
        const array_entry *e = &table->entries[i];
        if (!e->valid || e->block != block)
            continue;
        entries++;
        *(e->is_array ? &arrays : &others) += e->words * (uint64_t)WORD_BYTES;
    }
    const uint64_t leaving = others + ARRAY_ENTRY_BYTES * entries;
    return (array_bytes){leaving, leaving + arrays};
}

void array_table_transfer(array_table *table, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "entries of the table of arrays", table->capacity);
    if (!table->entries)
        return;
    HD_STATE_ARRAY(stream, table->entries, table->capacity);
    HD_STATE_ARRAY(stream, table->candidates, table->rows);
    HD_STATE_VALUE(stream, table->overflows);
}

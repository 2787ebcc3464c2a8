/* SPDX-License-Identifier: MIT */
#include "context_scratchpad.h"

#include "core_lanes.h"

#define WORD_BYTES 4u
#define ALL_WORDS UINT32_MAX /* in a stream, instead of a number of entries */

/* What is left in a word that has stayed behind, with context.unwritten 'garbage': nothing that a program could mean. */
#define LEFT_BEHIND UINT32_C(0xDEADBEA0)

static uint32_t knows_words(const simt_core *core)
{
    return core->words.entries != NULL;
}

int words_create(simt_core *core)
{
    const uint64_t kind = core_parameter_of(core, PARAMETER_CONTEXT_SCRATCHPAD);
    if (kind == SCRATCHPAD_WHOLE)
        return 0;
    core->words.retiles = (uint32_t)core_parameter_of(core, PARAMETER_CONTEXT_RETILE);
    core->words.knows_arrays = kind == SCRATCHPAD_ARRAYS;
    return array_table_create(&core->words, (uint32_t)core_parameter_of(core, PARAMETER_CONTEXT_SCRATCHPAD_ENTRIES),
                              core->warp_count) ||
           arrays_create(&core->arrays);
}

void words_destroy(simt_core *core)
{
    array_table_destroy(&core->words);
    arrays_destroy(&core->arrays);
}

void words_reset(simt_core *core)
{
    if (!knows_words(core))
        return;
    array_table_reset(&core->words);
    arrays_reset(core);
}

void words_end(simt_core *core, uint32_t slot)
{
    if (knows_words(core))
        array_table_end(&core->words, slot);
}

static uint32_t whole_bytes(const simt_core *core, uint32_t slot)
{
    return core->blocks[slot].launch.grid.scratchpad_bytes;
}

uint64_t words_bytes(const simt_core *core, uint32_t slot)
{
    const uint64_t whole = whole_bytes(core, slot);
    if (!knows_words(core))
        return whole;
    const uint64_t written = array_table_bytes(&core->words, slot, whole).leaving;
    return written < whole ? written : whole;
}

/* Whether all of its words move; else as many entries do. */
static uint32_t moves_whole(const simt_core *core, uint32_t slot)
{
    return words_bytes(core, slot) == whole_bytes(core, slot);
}

/* The block's entry that follows `entry`, or its first; NULL: there is none. */
static array_entry *next_entry(const simt_core *core, uint32_t slot, const array_entry *entry)
{
    for (uint32_t i = entry ? (uint32_t)(entry - core->words.entries) + 1 : 0; i < core->words.capacity; i++)
        if (core->words.entries[i].valid && core->words.entries[i].block == slot)
            return &core->words.entries[i];
    return NULL;
}

void words_count_spared(simt_core *core, uint32_t slot)
{
    const uint64_t whole = whole_bytes(core, slot);
    core->counters.context_scratchpad_spared += whole - words_bytes(core, slot);
    core->counters.context_scratchpad_overflows += core->words.overflows >> slot & 1;
    if (!knows_words(core) || moves_whole(core, slot))
        return;
    const array_bytes bytes = array_table_bytes(&core->words, slot, whole);
    core->counters.context_array_bytes_spared += bytes.coming - bytes.leaving;
    for (const array_entry *e = NULL; (e = next_entry(core, slot, e));)
        core->counters.context_arrays += e->is_array;
}

/* ---- Entries -------------------------------------------------------------------------------------------------------- */

#define IS_ARRAY_SHIFT 63
#define STRIDE_SHIFT 56

/* 16 B, as on the modelled machine. */
static void stream_entry(array_entry *entry, byte_stream *stream)
{
    uint64_t where = 0;
    if (entry->is_array)
        where = UINT64_C(1) << IS_ARRAY_SHIFT | (uint64_t)entry->stride << STRIDE_SHIFT | entry->address;
    byte_stream_u32(stream, &entry->first);
    byte_stream_u32(stream, &entry->words);
    byte_stream_u64(stream, &where);
    entry->is_array = (uint32_t)(where >> IS_ARRAY_SHIFT);
    entry->stride = (uint32_t)(where >> STRIDE_SHIFT & 0x1F);
    entry->address = where & ((UINT64_C(1) << STRIDE_SHIFT) - 1);
}

void words_write_entries(simt_core *core, uint32_t slot, byte_stream *stream)
{
    uint32_t count = ALL_WORDS;
    if (!knows_words(core))
        return;
    if (!moves_whole(core, slot)) {
        count = 0;
        for (const array_entry *e = NULL; (e = next_entry(core, slot, e));)
            count++;
    }
    byte_stream_u32(stream, &count);
    for (const array_entry *e = NULL; count != ALL_WORDS && (e = next_entry(core, slot, e));) {
        array_entry copy = *e;
        stream_entry(&copy, stream);
    }
}

/* What is beyond the scratchpad makes the stream too short. */
void words_read_entries(simt_core *core, uint32_t scratchpad_bytes, byte_stream *stream)
{
    const uint32_t words = (scratchpad_bytes + WORD_BYTES - 1) / WORD_BYTES;
    array_reads *reads = &core->arrays;
    if (!knows_words(core))
        return;
    byte_stream_u32(stream, &reads->entry_count);
    reads->compared = reads->others = 0;
    reads->comes_whole = reads->entry_count == ALL_WORDS;
    if (reads->comes_whole)
        reads->entry_count = 0;
    stream->too_short |= reads->entry_count > ARRAY_MAX_ENTRIES;
    for (uint32_t i = 0; i < reads->entry_count && !stream->too_short; i++) {
        array_entry *entry = &reads->entries[i];
        *entry = (array_entry){.valid = 1};
        stream_entry(entry, stream);
        stream->too_short |= entry->first >= words || entry->words > words - entry->first;
    }
    if (stream->too_short)
        reads->entry_count = 0;
}

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

static void stream_all(simt_core *core, uint32_t slot, byte_stream *stream)
{
    memory_stream_scratchpad(core->memory, core->blocks[slot].scratchpad_offset, whole_bytes(core, slot), stream);
}

static void stream_words(simt_core *core, uint32_t slot, const array_entry *entry, byte_stream *stream)
{
    const uint32_t from = entry->first * WORD_BYTES, end = from + entry->words * WORD_BYTES;
    const uint32_t bytes = (end < whole_bytes(core, slot) ? end : whole_bytes(core, slot)) - from;
    memory_stream_scratchpad(core->memory, core->blocks[slot].scratchpad_offset + from, bytes, stream);
}

/* Arrays first: others may lie over them. */
static void write_words(simt_core *core, uint32_t slot, byte_stream *stream)
{
    for (uint32_t arrays = 2; arrays--;)
        for (const array_entry *e = NULL; (e = next_entry(core, slot, e));)
            if (e->is_array == arrays)
                stream_words(core, slot, e, stream);
}

static void spoil(simt_core *core, uint32_t offset, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += WORD_BYTES) {
        uint8_t garbage[WORD_BYTES];
        uint32_t word = LEFT_BEHIND | (at / WORD_BYTES & 0xF);
        byte_stream writer = byte_stream_writer(garbage, sizeof garbage);
        byte_stream_u32(&writer, &word);
        byte_stream reader = byte_stream_reader(garbage, sizeof garbage);
        memory_stream_scratchpad(core->memory, offset + at, bytes - at < WORD_BYTES ? bytes - at : WORD_BYTES, &reader);
    }
}

/* What stayed behind. */
static void set_unwritten(simt_core *core, uint32_t slot)
{
    const uint32_t offset = core->blocks[slot].scratchpad_offset;
    if (core_parameter_of(core, PARAMETER_CONTEXT_UNWRITTEN))
        spoil(core, offset, whole_bytes(core, slot));
    else
        memory_clear_scratchpad(core->memory, offset, whole_bytes(core, slot));
}

static void read_words(simt_core *core, uint32_t slot, byte_stream *stream)
{
    array_reads *reads = &core->arrays;
    set_unwritten(core, slot);
    for (uint32_t arrays = 2; arrays--;)
        for (uint32_t i = 0; i < reads->entry_count; i++) {
            const array_entry *e = &reads->entries[i];
            if (e->is_array != arrays)
                continue;
            stream_words(core, slot, e, stream);
            if (arrays)
                arrays_compare(core, e, core->blocks[slot].scratchpad_offset + e->first * WORD_BYTES);
        }
    for (uint32_t i = 0; i < reads->entry_count; i++) {
        reads->entries[i].block = slot;
        reads->entries[i].is_array &= !(reads->state == READS_DONE && reads->changed[i]);
        array_table_put(&core->words, &reads->entries[i]);
    }
}

void words_stream(simt_core *core, uint32_t slot, byte_stream *stream)
{
    const uint32_t is_whole = !knows_words(core) || (stream->from ? core->arrays.comes_whole : moves_whole(core, slot));
    if (is_whole)
        stream_all(core, slot, stream);
    else if (stream->from)
        read_words(core, slot, stream);
    else
        write_words(core, slot, stream);
    if (knows_words(core) && is_whole && stream->from && whole_bytes(core, slot))
        array_table_write(&core->words, slot, 0, (whole_bytes(core, slot) + WORD_BYTES - 1) / WORD_BYTES);
}

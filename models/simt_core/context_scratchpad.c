/* SPDX-License-Identifier: MIT */
#include "context_scratchpad.h"

#include "core_lanes.h"

#define WORD_BYTES 4u
#define ALL_WORDS UINT32_MAX /* in a stream, instead of a number of entries */

static uint32_t knows_words(const simt_core *core)
{
    return core->words.entries != NULL;
}

int words_create(simt_core *core)
{
    if (!core_parameter_of(core, PARAMETER_CONTEXT_SCRATCHPAD))
        return 0;
    return array_table_create(&core->words, (uint32_t)core_parameter_of(core, PARAMETER_CONTEXT_SCRATCHPAD_ENTRIES),
                              core->warp_count);
}

void words_destroy(simt_core *core)
{
    array_table_destroy(&core->words);
}

void words_reset(simt_core *core)
{
    if (knows_words(core))
        array_table_reset(&core->words);
}

void words_end(simt_core *core, uint32_t slot)
{
    if (knows_words(core))
        array_table_end(&core->words, slot);
}

void words_note(simt_core *core, uint32_t path, const isa_instruction *instruction, const uint32_t *address)
{
    const struct path *p = &core->paths[path];
    const uint32_t slot = core->warps[p->warp].block;
    uint64_t places[ARRAY_MAX_LANES];
    array_access access = {.row = p->warp, .block = slot, .number = ISA_NO_REGISTER, .places = places};
    if (instruction->instruction_class == ISA_CLASS_LOAD)
        return;
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t place = address[lane] - HD_SCRATCHPAD_BASE;
        if (place >= core->blocks[slot].launch.grid.scratchpad_bytes)
            continue;
        places[lane] = place / WORD_BYTES;
        access.lanes |= UINT64_C(1) << lane;
    }
    array_table_store(&core->words, &access);
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

static void stream_all(simt_core *core, uint32_t slot, byte_stream *stream)
{
    memory_stream_scratchpad(core->memory, core->blocks[slot].scratchpad_offset, whole_bytes(core, slot), stream);
}

/* An entry and its words; where it is that is beyond the scratchpad, the stream is too short. */
static void stream_entry(simt_core *core, uint32_t slot, array_entry *entry, byte_stream *stream)
{
    const uint32_t words = (whole_bytes(core, slot) + WORD_BYTES - 1) / WORD_BYTES;
    uint64_t reserved = 0; /* as many bytes as an entry has where it moves */
    byte_stream_u32(stream, &entry->first);
    byte_stream_u32(stream, &entry->words);
    byte_stream_u64(stream, &reserved);
    if (entry->first >= words || entry->words > words - entry->first) {
        stream->too_short = 1;
        return;
    }
    const uint32_t from = entry->first * WORD_BYTES, end = from + entry->words * WORD_BYTES;
    const uint32_t bytes = (end < whole_bytes(core, slot) ? end : whole_bytes(core, slot)) - from;
    memory_stream_scratchpad(core->memory, core->blocks[slot].scratchpad_offset + from, bytes, stream);
    if (stream->from)
        array_table_write(&core->words, slot, entry->first, entry->words);
}

static uint32_t entries_of(const simt_core *core, uint32_t slot)
{
    uint32_t count = 0;
    if (words_bytes(core, slot) == whole_bytes(core, slot))
        return ALL_WORDS;
    for (uint32_t i = 0; i < core->words.capacity; i++)
        count += core->words.entries[i].valid && core->words.entries[i].block == slot;
    return count;
}

static void write_entries(simt_core *core, uint32_t slot, byte_stream *stream)
{
    for (uint32_t i = 0; i < core->words.capacity; i++)
        if (core->words.entries[i].valid && core->words.entries[i].block == slot)
            stream_entry(core, slot, &core->words.entries[i], stream);
}

static void read_entries(simt_core *core, uint32_t slot, uint32_t count, byte_stream *stream)
{
    memory_clear_scratchpad(core->memory, core->blocks[slot].scratchpad_offset, whole_bytes(core, slot));
    for (uint32_t i = 0; i < count && !stream->too_short; i++) {
        array_entry entry = {.valid = 0};
        stream_entry(core, slot, &entry, stream);
    }
}

void words_stream(simt_core *core, uint32_t slot, byte_stream *stream)
{
    uint32_t count = knows_words(core) ? entries_of(core, slot) : ALL_WORDS;
    if (knows_words(core))
        byte_stream_u32(stream, &count);
    if (count == ALL_WORDS)
        stream_all(core, slot, stream);
    else if (stream->from)
        read_entries(core, slot, count, stream);
    else
        write_entries(core, slot, stream);
    if (knows_words(core) && stream->from && count == ALL_WORDS && whole_bytes(core, slot))
        array_table_write(&core->words, slot, 0, (whole_bytes(core, slot) + WORD_BYTES - 1) / WORD_BYTES);
}

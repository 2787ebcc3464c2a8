/* SPDX-License-Identifier: MIT */
#include "context_arrays.h"

#include "core_lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 4u

int arrays_create(array_reads *reads)
{
    reads->entries = calloc(ARRAY_MAX_ENTRIES, sizeof *reads->entries);
    reads->changed = calloc(ARRAY_MAX_ENTRIES, sizeof *reads->changed);
    return reads->entries && reads->changed ? 0 : -1;
}

void arrays_destroy(array_reads *reads)
{
    free(reads->entries);
    free(reads->changed);
    free(reads->requests);
    free(reads->words);
}

void arrays_reset(simt_core *core)
{
    core->arrays.state = READS_NONE;
    core->arrays.entry_count = 0;
}

void arrays_begin(simt_core *core)
{
    if (core->arrays.entries)
        arrays_reset(core);
}

/* ---- Which lines ---------------------------------------------------------------------------------------------------- */

/* `items` of so many bytes, with room for one more. Nonzero: out of memory. */
static int grow(void **items, uint32_t *capacity, uint32_t count, size_t bytes)
{
    if (count <= *capacity)
        return 0;
    const uint32_t larger = count < 32 ? 64 : 2 * count;
    void *grown = realloc(*items, larger * bytes);
    if (!grown)
        return -1;
    *items = grown;
    *capacity = larger;
    return 0;
}

/* Words of the array from `word` on that lie in the line of that one. */
static array_request request_of(const array_entry *entry, uint32_t word)
{
    const uint64_t first = entry->address + ((uint64_t)word << entry->stride);
    const uint64_t line = first & ~(uint64_t)(HD_LINE_BYTES - 1);
    const uint64_t fit = ((line + HD_LINE_BYTES - WORD_BYTES - first) >> entry->stride) + 1;
    const uint64_t words = fit < entry->words - word ? fit : entry->words - word;
    const uint64_t from = first & ~(uint64_t)(HD_UNCACHED_BYTES - 1);
    const uint64_t end = first + ((words - 1) << entry->stride) + WORD_BYTES;
    const uint64_t bytes = (end - from + HD_UNCACHED_BYTES - 1) & ~(uint64_t)(HD_UNCACHED_BYTES - 1);
    return (array_request){.address = from,
                           .bytes = (uint32_t)bytes,
                           .skip = (uint32_t)(first - from),
                           .words = (uint32_t)words,
                           .stride = entry->stride};
}

/* Nonzero: out of memory. */
static int plan_array(array_reads *reads, const array_entry *entry)
{
    if (grow((void **)&reads->words, &reads->word_capacity, reads->word_count + entry->words, sizeof *reads->words))
        return -1;
    for (uint32_t word = 0; word < entry->words;) {
        if (grow((void **)&reads->requests, &reads->request_capacity, reads->request_count + 1,
                 sizeof *reads->requests))
            return -1;
        array_request *request = &reads->requests[reads->request_count++];
        *request = request_of(entry, word);
        request->first = reads->word_count;
        reads->word_count += request->words;
        word += request->words;
    }
    return 0;
}

/* Entries of a stream that is damaged are none: nobody will restore it. */
static int plan(simt_core *core)
{
    array_reads *reads = &core->arrays;
    int failed = 0;
    byte_stream stream = byte_stream_reader(core->engine.bytes, core->engine.size.stream_bytes);
    reads->request_count = reads->asked = reads->unanswered = reads->word_count = 0;
    reads->bytes = 0;
    context_find_entries(core, &stream);
    memset(reads->changed, 0, ARRAY_MAX_ENTRIES);
    for (uint32_t i = 0; i < reads->entry_count && !failed; i++)
        failed = reads->entries[i].is_array ? plan_array(reads, &reads->entries[i]) : 0;
    return failed;
}

/* ---- Requests ------------------------------------------------------------------------------------------------------- */

static void ask(simt_core *core)
{
    array_reads *reads = &core->arrays;
    while (reads->asked < reads->request_count && memory_can_move_context(core->memory)) {
        const array_request *request = &reads->requests[reads->asked];
        const uint64_t before = hd_context_bytes(&core->engine.size) + reads->bytes;
        const uint64_t due = context_edge_of(&core->engine, (double)(before + request->bytes));
        if (due > core->now.n) {
            core->engine.next = due;
            return;
        }
        memory_load_array(core->memory, request->address, request->bytes, ARRAY_REQUEST | reads->asked);
        core->engine.asked_at = core->now.n;
        core->counters.context_array_bytes += request->bytes;
        reads->bytes += request->bytes;
        reads->unanswered++;
        reads->asked++;
    }
}

uint32_t arrays_are_here(simt_core *core)
{
    array_reads *reads = &core->arrays;
    if (!core->words.knows_arrays || core->engine.is_ideal)
        return 1;
    if (reads->state == READS_NONE && plan(core)) {
        engine_out_of_memory(core, "the arrays of a thread block");
        return 0;
    }
    if (reads->state == READS_NONE)
        reads->state = READS_BEGUN;
    ask(core);
    if (reads->asked == reads->request_count && !reads->unanswered)
        reads->state = READS_DONE;
    return reads->state == READS_DONE;
}

void arrays_answered(simt_core *core, uint64_t number, const void *bytes)
{
    array_reads *reads = &core->arrays;
    const array_request *request = &reads->requests[number & ~ARRAY_REQUEST];
    for (uint32_t word = 0; word < request->words; word++)
        memcpy(&reads->words[request->first + word],
               (const uint8_t *)bytes + request->skip + ((size_t)word << request->stride), WORD_BYTES);
    reads->unanswered--;
    engine_sent(core);
}

static void note_change(array_reads *reads, uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; reads->state != READS_NONE && i < reads->entry_count; i++)
        reads->changed[i] |= (uint8_t)array_entry_meets(&reads->entries[i], address, bytes);
}

void arrays_note_store(simt_core *core, uint64_t address, uint64_t bytes)
{
    note_change(&core->arrays, address, bytes);
    for (uint32_t i = 0; i < core->engine.aside_count; i++)
        note_change(&core->engine.aside[i].arrays, address, bytes);
}

/* ---- What has come --------------------------------------------------------------------------------------------------- */

static void note_other(array_reads *reads, uint64_t address, uint32_t other, uint32_t own)
{
    if (!reads->others++) {
        reads->other_at = address;
        reads->other = other;
        reads->own = own;
    }
}

static void compare_word(simt_core *core, uint32_t offset, uint64_t address)
{
    array_reads *reads = &core->arrays;
    uint32_t own = 0, come = reads->words[reads->compared++];
    uint8_t bytes[WORD_BYTES];
    byte_stream writer = byte_stream_writer(bytes, sizeof bytes);
    memory_stream_scratchpad(core->memory, offset, WORD_BYTES, &writer);
    memcpy(&own, bytes, sizeof own);
    if (own != come)
        note_other(reads, address, come, own);
    memcpy(bytes, &come, sizeof bytes);
    byte_stream reader = byte_stream_reader(bytes, sizeof bytes);
    memory_stream_scratchpad(core->memory, offset, WORD_BYTES, &reader);
}

void arrays_compare(simt_core *core, const array_entry *entry, uint32_t offset)
{
    for (uint32_t word = 0; core->arrays.state == READS_DONE && word < entry->words; word++)
        compare_word(core, offset + word * WORD_BYTES, entry->address + ((uint64_t)word << entry->stride));
}

uint32_t arrays_end(simt_core *core, uint64_t tag)
{
    array_reads *reads = &core->arrays;
    const uint32_t others = reads->others;
    reads->state = READS_NONE;
    reads->compared = reads->others = 0;
    core->counters.context_foreign_words += others;
    if (!others)
        return 0;
    core->fault.halted = 1;
    core->services->fault(core->services->context, core->now.t,
                          "%s: thread block %" PRIu64
                          " comes back, and of the arrays that it left in global memory %u words have been "
                          "stored to meanwhile: there is 0x%x at 0x%" PRIx64
                          ", and was 0x%x (context.foreign_store_check; context.scratchpad 'written' moves them)",
                          core->services->name, tag, others, reads->other, reads->other_at, reads->own);
    return 1;
}

/* Restored: so many items. */
static void items_transfer(void **items, uint32_t *capacity, uint32_t *count, size_t bytes,
                           const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, *count);
    if (grow(items, capacity, *count, bytes))
        abort();
    stream->bytes(stream->context, *items, *count * bytes);
}

void arrays_transfer(array_reads *reads, const hd_state_stream *stream)
{
    if (!reads->entries)
        return;
    HD_STATE_VALUE(stream, reads->entry_count);
    HD_STATE_ARRAY(stream, reads->entries, reads->entry_count);
    HD_STATE_ARRAY(stream, reads->changed, reads->entry_count);
    HD_STATE_VALUE(stream, reads->comes_whole);
    HD_STATE_VALUE(stream, reads->state);
    items_transfer((void **)&reads->requests, &reads->request_capacity, &reads->request_count, sizeof *reads->requests,
                   stream);
    HD_STATE_VALUE(stream, reads->asked);
    HD_STATE_VALUE(stream, reads->unanswered);
    items_transfer((void **)&reads->words, &reads->word_capacity, &reads->word_count, sizeof *reads->words, stream);
    HD_STATE_VALUE(stream, reads->bytes);
    HD_STATE_VALUE(stream, reads->compared);
    HD_STATE_VALUE(stream, reads->others);
    HD_STATE_VALUE(stream, reads->other_at);
    HD_STATE_VALUE(stream, reads->other);
    HD_STATE_VALUE(stream, reads->own);
}

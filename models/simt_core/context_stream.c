/* SPDX-License-Identifier: MIT */
/*
 * A thread block at rest as bytes: header, launch, what moves of the scratchpad, reconvergence state, then per warp what each path waits for,
 * instruction counts, fcsr and registers; then the scratchpad. How many threads live and how many stand at a barrier
 * follows from that.
 */
#include "bits.h"
#include "context_members.h"
#include "core_lanes.h"
#include "hd_fnv.h"
#include "tx/tx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAGIC 0x42544448u /* "HDTB" */
#define VERSION 6u
/* Beside it: */
#define WITHOUT_DEAD 0x10000u  /* dead registers are left out */
#define WITH_PATTERNS 0x20000u /* registers may be patterns */
#define WITH_ENTRIES 0x40000u  /* words that were not written are left out */
#define WITH_ARRAYS 0x80000u   /* and of entries, that they are arrays */
#define NAME_BYTES 32u
#define HEADER_BYTES (4 + 4 + 8 + 8 + 4 + NAME_BYTES)

typedef struct context_header {
    uint32_t magic;
    uint32_t version;
    uint64_t bytes;    /* of the whole stream */
    uint64_t checksum; /* of what follows the header */
    uint32_t lanes;
    char reconvergence[NAME_BYTES]; /* its unit */
} context_header;

static void stream_header(byte_stream *stream, context_header *header)
{
    byte_stream_u32(stream, &header->magic);
    byte_stream_u32(stream, &header->version);
    byte_stream_u64(stream, &header->bytes);
    byte_stream_u64(stream, &header->checksum);
    byte_stream_u32(stream, &header->lanes);
    byte_stream_bytes(stream, (uint8_t *)header->reconvergence, NAME_BYTES);
}

/* Of the streams of this core. */
static uint32_t version_of(const simt_core *core)
{
    return VERSION | (core->live.registers ? WITHOUT_DEAD : 0) |
           (core_parameter_of(core, PARAMETER_CONTEXT_COMPRESS) ? WITH_PATTERNS : 0) |
           (core->words.entries ? WITH_ENTRIES : 0) | (core->words.knows_arrays ? WITH_ARRAYS : 0);
}

static void stream_launch(byte_stream *stream, hd_block_launch *launch)
{
#define STREAM_LAUNCH(member, width)                                                                                   \
    for (size_t i = 0; i < sizeof launch->member / sizeof(uint##width##_t); i++)                                       \
        byte_stream_u##width(stream, (uint##width##_t *)&launch->member + i);
    CONTEXT_LAUNCH_MEMBERS(STREAM_LAUNCH)
#undef STREAM_LAUNCH
}

/* What threads did in paths, whichever slots these run in. */
static void settle(simt_core *core)
{
    for (uint32_t path = 0; core->path_homes && path < core->path_count; path++)
        regrouped_settle(core, path);
}

static uint64_t retired_by(const simt_core *core, uint32_t warp, uint32_t lane)
{
    uint64_t count = core->warps[warp].retired[lane];
    const path_range paths = core_paths_of(core, warp);
    for (uint32_t path = paths.first; path < paths.end; path++) {
        const path_state *state = &core->path_states[path];
        count += state->count.lanes >> lane & 1 ? state->count.instructions : 0;
    }
    return count;
}

/* What a path waits for, as the stream has it. */
enum { WAITS_FOR_NOTHING, WAITS_AT_BARRIER, WAITS_AT_WARP_SYNC };

static void write_path(const simt_core *core, uint32_t path, byte_stream *stream)
{
    const path_state *state = &core->path_states[path];
    uint64_t synchronised = state->status == PATH_WARP_SYNC ? state->synchronised : 0;
    uint8_t waits[2] = {WAITS_FOR_NOTHING, 0};
    if (state->status == PATH_BARRIER) {
        waits[0] = WAITS_AT_BARRIER;
        waits[1] = state->barrier;
    } else if (state->status == PATH_WARP_SYNC) {
        waits[0] = WAITS_AT_WARP_SYNC;
    }
    byte_stream_bytes(stream, waits, sizeof waits);
    if (core->path_homes)
        byte_stream_u64(stream, &synchronised);
}

static void write_warp(simt_core *core, uint32_t warp, byte_stream *stream)
{
    const path_range paths = core_paths_of(core, warp);
    for (uint32_t path = paths.first; path < paths.end; path++)
        write_path(core, path, stream);
    for (uint32_t lane = 0; lane < core->lane_count; lane++) {
        uint64_t retired = retired_by(core, warp, lane);
        byte_stream_u64(stream, &retired);
    }
    context_stream_registers(core, warp, stream);
    if (core->switches.number)
        virtual_switches_stream(&core->switches, warp, stream);
}

void context_write(simt_core *core, uint32_t slot, byte_stream *stream)
{
    block_state *block = &core->blocks[slot];
    context_header header = {.magic = MAGIC, .version = version_of(core), .lanes = core->lane_count};
    snprintf(header.reconvergence, sizeof header.reconvergence, "%s", core->chosen[CORE_RECONVERGENCE]->unit->name);
    stream_header(stream, &header);
    stream_launch(stream, &block->launch);
    byte_stream_u64(stream, &block->tag);
    words_write_entries(core, slot, stream);
    uint32_t slots[MAX_WARPS];
    const block_warps warps = core_warps_of(core, slot, slots);
    core->reconvergence.unit->save(core->reconvergence.state, &warps, stream);
    settle(core);
    for (uint32_t index = 0; index < warps.count; index++)
        write_warp(core, warps.slots[index], stream);
    words_stream(core, slot, stream);
    if (!stream->to)
        return;
    byte_stream start = byte_stream_writer(stream->to, HEADER_BYTES);
    header.bytes = stream->at;
    header.checksum = hd_fnv_add(HD_FNV_START, stream->to + HEADER_BYTES, stream->at - HEADER_BYTES);
    stream_header(&start, &header);
}

uint64_t context_control_bytes(simt_core *core, uint32_t slot)
{
    byte_stream counter = byte_stream_counter();
    uint32_t slots[MAX_WARPS];
    const block_warps warps = core_warps_of(core, slot, slots);
    core->reconvergence.unit->save(core->reconvergence.state, &warps, &counter);
    return counter.at;
}

/* ---- And back ---------------------------------------------------------------------------------------------------- */

/* These lanes of the path wait at warp.sync for others of their warps. */
static void await_warps(simt_core *core, uint32_t path, uint64_t lanes)
{
    while (lanes) {
        const home_part part = homes_take(core_homes(core, path), &lanes);
        core->warps[part.row].synchronising += bits_count(part.lanes);
    }
}

/* A path that exists goes on waiting for what it waited for. Nonzero: it cannot have. */
static int read_path(simt_core *core, uint32_t path, byte_stream *stream)
{
    path_state *state = &core->path_states[path];
    const struct path *p = &core->paths[path];
    uint64_t synchronised = 0;
    uint8_t waits[2] = {0};
    byte_stream_bytes(stream, waits, sizeof waits);
    if (core->path_homes)
        byte_stream_u64(stream, &synchronised);
    if (waits[0] == WAITS_FOR_NOTHING)
        return synchronised != 0;
    if (!p->mask || waits[0] > WAITS_AT_WARP_SYNC || waits[1] >= BARRIERS || synchronised & ~p->mask)
        return 1;
    path_set_status(core, path, waits[0] == WAITS_AT_BARRIER ? PATH_BARRIER : PATH_WARP_SYNC);
    tx_threads_wait(core->tx.transactions, p->warp, p->mask);
    state->barrier = waits[1];
    state->synchronised = synchronised;
    if (waits[0] == WAITS_AT_BARRIER)
        block_threads_arrive(&core->blocks[core->warps[p->warp].block].threads, waits[1], bits_count(p->mask));
    else
        await_warps(core, path, p->mask & ~synchronised);
    return 0;
}

/* Those of the warp's lanes that stand at a barrier out of sight. */
static void count_kept(simt_core *core, uint32_t slot, uint32_t warp)
{
    const reconvergence_unit *unit = core->reconvergence.unit;
    for (uint32_t barrier = 0; barrier < BARRIERS; barrier++)
        block_threads_arrive(&core->blocks[slot].threads, barrier,
                             bits_count(unit->at_barrier(core->reconvergence.state, warp, barrier)));
    core->warps[warp].synchronising += bits_count(unit->at_barrier(core->reconvergence.state, warp, BARRIER_OF_WARP));
}

static int read_warp(simt_core *core, uint32_t slot, uint32_t warp, byte_stream *stream)
{
    warp_state *w = &core->warps[warp];
    const path_range paths = core_paths_of(core, warp);
    const uint64_t live = core->reconvergence.unit->live_lanes(core->reconvergence.state, warp);
    block_threads_return(&core->blocks[slot].threads, bits_count(live));
    tx_threads_enter(core->tx.transactions, warp, live);
    for (uint32_t path = paths.first; path < paths.end; path++) {
        if (read_path(core, path, stream))
            return 1;
    }
    if (core->reconvergence.unit->at_barrier)
        count_kept(core, slot, warp);
    for (uint32_t lane = 0; lane < core->lane_count; lane++)
        byte_stream_u64(stream, &w->retired[lane]);
    context_stream_registers(core, warp, stream);
    if (core->switches.number)
        virtual_switches_stream(&core->switches, warp, stream);
    return (int)stream->too_short;
}

static int read_block(simt_core *core, uint32_t slot, byte_stream *stream)
{
    block_state *block = &core->blocks[slot];
    uint32_t slots[MAX_WARPS];
    block_threads_none(&block->threads);
    block->stage = STAGE_STOPPED;
    for (uint32_t warp = 0, index = 0; index < block->warps; warp++) {
        if (core->warps[warp].block != NO_SLOT)
            continue;
        residency_enter_warp(core, slot, warp, index++);
        core->warps[warp].stopped = 1;
    }
    const block_warps warps = core_warps_of(core, slot, slots);
    int wrong = (int)core->reconvergence.unit->restore(core->reconvergence.state, &warps, stream);
    for (uint32_t index = 0; !wrong && index < warps.count; index++)
        wrong = read_warp(core, slot, warps.slots[index], stream);
    residency_tell_launch(core, slot);
    tx_block_begins(core->tx.transactions, slot, 0);
    words_stream(core, slot, stream);
    return wrong || stream->too_short || stream->at != stream->capacity || !block->threads.live;
}

/* What is wrong with the header, as a sentence in text; NULL if nothing is. */
static const char *refuse_header(const simt_core *core, byte_stream *stream, char *text, size_t text_bytes)
{
    context_header header = {.magic = 0};
    stream_header(stream, &header);
    header.reconvergence[NAME_BYTES - 1] = '\0';
    if (stream->too_short || header.magic != MAGIC)
        snprintf(text, text_bytes, "this is no saved thread block");
    else if ((uint16_t)header.version != VERSION)
        snprintf(text, text_bytes, "the thread block was saved in version %u of the format; this is version %u",
                 header.version, VERSION);
    else if (header.version != version_of(core))
        snprintf(text, text_bytes,
                 "the thread block was saved %s its dead registers, %s patterns and %s words that it had not written%s "
                 "(context.dead, context.compress, context.scratchpad); %s does not read that",
                 header.version & WITHOUT_DEAD ? "without" : "with",
                 header.version & WITH_PATTERNS ? "with" : "without",
                 header.version & WITH_ENTRIES ? "without" : "with",
                 header.version & WITH_ARRAYS ? " or that are arrays" : "", core->services->name);
    else if (header.bytes != stream->capacity)
        snprintf(text, text_bytes, "the saved thread block has %" PRIu64 " bytes, but here are %" PRIu64, header.bytes,
                 stream->capacity);
    else if (header.checksum != hd_fnv_add(HD_FNV_START, stream->from + HEADER_BYTES, stream->capacity - HEADER_BYTES))
        snprintf(text, text_bytes, "the saved thread block is damaged: its checksum is another");
    else if (header.lanes != core->lane_count)
        snprintf(text, text_bytes, "the thread block was saved with %u lanes per warp; %s has %u", header.lanes,
                 core->services->name, core->lane_count);
    else if (strcmp(header.reconvergence, core->chosen[CORE_RECONVERGENCE]->unit->name))
        snprintf(text, text_bytes, "the thread block was saved with reconvergence '%s'; %s has '%s'",
                 header.reconvergence, core->services->name, core->chosen[CORE_RECONVERGENCE]->unit->name);
    else
        return NULL;
    return text;
}

/* The same for the block itself; and where there is room for it. */
static const char *refuse_block(const simt_core *core, const hd_block_launch *launch, uint64_t tag, uint32_t *slot,
                                uint32_t *offset, char *text, size_t text_bytes)
{
    const hd_programs *programs = core->residency.programs;
    if (!programs || !programs->find(programs->context, launch->grid.module))
        snprintf(text, text_bytes, "the saved thread block runs module %u, which is not loaded", launch->grid.module);
    else if (launch->context_slot >= launch->context_slots)
        snprintf(text, text_bytes, "the saved thread block is damaged: no core was ever in that state");
    else if (context_find(core, tag) != NO_SLOT)
        snprintf(text, text_bytes, "%s holds a thread block of tag %" PRIu64 " already", core->services->name, tag);
    else if (core->fault.halted || !residency_find_room(core, &launch->grid, slot, offset))
        snprintf(text, text_bytes, "%s has no room for the saved thread block: %" PRIu64 " threads, %u B of scratchpad",
                 core->services->name, grid_threads(&launch->grid), launch->grid.scratchpad_bytes);
    else
        return NULL;
    return text;
}

void context_find_entries(simt_core *core, byte_stream *stream)
{
    hd_block_launch launch = {.context_slot = 0};
    context_header header = {.magic = 0};
    uint64_t tag = 0;
    stream_header(stream, &header);
    stream_launch(stream, &launch);
    byte_stream_u64(stream, &tag);
    words_read_entries(core, launch.grid.scratchpad_bytes, stream);
}

uint32_t context_read(simt_core *core, byte_stream *stream, char *error, size_t error_bytes)
{
    hd_block_launch launch = {.context_slot = 0};
    uint64_t tag = 0;
    uint32_t slot, offset;
    if (refuse_header(core, stream, error, error_bytes))
        return NO_SLOT;
    stream_launch(stream, &launch);
    byte_stream_u64(stream, &tag);
    words_read_entries(core, launch.grid.scratchpad_bytes, stream);
    if (refuse_block(core, &launch, tag, &slot, &offset, error, error_bytes))
        return NO_SLOT;
    residency_enter(core, slot, offset, &launch, tag);
    memory_begin_grid(core->memory); /* its threads may have seen newer data than the caches of this core hold */
    if (!read_block(core, slot, stream))
        return slot;
    context_leave(core, slot);
    snprintf(error, error_bytes, "the saved thread block is damaged: no core was ever in that state");
    return NO_SLOT;
}

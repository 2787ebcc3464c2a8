/* SPDX-License-Identifier: MIT */
/* The context of a thread block in memory: requests for its lines, paced, and their answers. */
#include "core_lanes.h"

#include <inttypes.h>
#include <string.h>

static uint64_t image_bytes(const context_engine *engine)
{
    return engine->uses_memory ? hd_context_bytes(&engine->size) : 0;
}

static uint64_t rounded(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

uint64_t context_buffer_bytes(const hd_context_size *size)
{
    return rounded(size->stream_bytes, HD_LINE_BYTES);
}

uint64_t context_edge_of(const context_engine *engine, double bytes)
{
    if (!engine->rate)
        return engine->begun;
    const double cycles = bytes / (double)engine->rate;
    const uint64_t whole = (uint64_t)cycles;
    return engine->begun + whole + ((double)whole < cycles);
}

void context_memory_begin(simt_core *core)
{
    context_engine *engine = &core->engine;
    const uint64_t image = image_bytes(engine);
    engine->unanswered = 0;
    engine->asked_at = core->now.n;
    engine->asked = engine->state == ENGINE_RETURNING ? image : 0; /* what is in memory stays there */
    if (engine->state == ENGINE_LEAVING)
        engine->size.memory_bytes = image;
}

uint32_t context_memory_is_done(const context_engine *engine)
{
    return engine->asked == image_bytes(engine) && !engine->unanswered;
}

void context_choose_rate(context_engine *engine)
{
    engine->rate = engine->size.buffer ? engine->buffer_rate : engine->stored_rate;
    if (engine->is_ideal)
        engine->rate = 0;
}

void context_choose_way(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    const stop_order *order = &engine->stops[slot];
    const uint32_t overflows = order->buffer && hd_context_bytes(&engine->size) > order->buffer_bytes;
    core->counters.context_buffer_overflows += overflows;
    engine->size.buffer = overflows ? 0 : order->buffer;
    engine->size.buffer_bytes = engine->size.buffer ? order->buffer_bytes : 0;
    engine->uses_memory = engine->storage != CONTEXT_WITH_SCHEDULER && !order->is_ideal;
    engine->announces = order->buffer != 0;
    engine->is_ideal = order->is_ideal;
    context_choose_rate(engine);
}

/* Of a line in its buffer. */
static void ask_buffer(simt_core *core, uint8_t *at, uint32_t bytes)
{
    context_engine *engine = &core->engine;
    const memory_buffer_line line = {.buffer = engine->size.buffer - 1,
                                     .buffer_bytes = engine->size.buffer_bytes,
                                     .offset = engine->asked,
                                     .bytes = (uint32_t)rounded(bytes, HD_UNCACHED_BYTES),
                                     .number = engine->asked};
    if (engine->state == ENGINE_LEAVING)
        memory_store_buffer(core->memory, &line, at);
    else
        memory_load_buffer(core->memory, &line);
    engine->asked += bytes;
    engine->asked_at = core->now.n;
    engine->unanswered++;
}

static void ask(simt_core *core, uint32_t bytes)
{
    context_engine *engine = &core->engine;
    if (engine->size.buffer) {
        ask_buffer(core, engine->bytes + engine->asked, bytes);
        return;
    }
    const uint32_t line = HD_CONTEXT_SAVED_LINE + (uint32_t)(engine->asked / HD_LINE_BYTES);
    const uint64_t address = hd_context_line(engine->size.context_slot, engine->size.context_slots, line);
    const uint32_t whole = (uint32_t)rounded(bytes, HD_UNCACHED_BYTES); /* beyond the image are bytes of the stream */
    uint8_t *at = engine->bytes + engine->asked;
    const uint64_t number = engine->asked;
    engine->asked += bytes;
    engine->asked_at = core->now.n;
    if (engine->state == ENGINE_LEAVING)
        memory_store_context(core->memory, core_next_warp(core, engine->slot, 0), address, at, whole, number);
    else if (memory_load_context(core->memory, address, at, whole, number,
                                 engine->size.saved_by == core->services->endpoint))
        return;
    engine->unanswered++;
}

/* A request that waits for the network wakes us when it leaves. */
void context_memory_ask(simt_core *core)
{
    context_engine *engine = &core->engine;
    const uint64_t image = image_bytes(engine);
    if (engine->state != ENGINE_LEAVING && engine->state != ENGINE_ARRIVING)
        return;
    while (engine->asked < image && memory_can_move_context(core->memory)) {
        const uint64_t left = image - engine->asked;
        const uint32_t bytes = left < HD_LINE_BYTES ? (uint32_t)left : HD_LINE_BYTES;
        const uint64_t due = context_edge_of(engine, (double)(engine->asked + bytes));
        if (due > core->now.n) {
            engine->next = due;
            return;
        }
        ask(core, bytes);
    }
}

uint32_t context_memory_accepts(simt_core *core, uint32_t slot)
{
    const hd_grid *grid = &core->blocks[slot].launch.grid;
    const uint64_t private_bytes = (uint64_t)core->blocks[slot].warps * core->lane_count * grid->private_bytes;
    const uint64_t bytes = hd_context_bytes(&core->engine.size);
    if (private_bytes <= (uint64_t)HD_CONTEXT_SAVED_LINE * HD_LINE_BYTES &&
        bytes <= (uint64_t)HD_CONTEXT_SAVED_LINES * HD_LINE_BYTES)
        return 1;
    core->fault.halted = 1;
    core->services->fault(core->services->context, core->now.t,
                          "%s: a thread block of launch %" PRIu64
                          " cannot leave for memory: its context slot has no room for "
                          "%" PRIu64 " B of private memory and %" PRIu64 " B of context",
                          core->services->name, (uint64_t)grid->launch, private_bytes, bytes);
    return 0;
}

void engine_sent(simt_core *core)
{
    core->engine.busy = 1;
    if (core->engine.next > core->now.n)
        core->engine.next = core->now.n;
}

void engine_answered(simt_core *core, uint64_t number, const void *bytes, uint32_t count)
{
    context_engine *engine = &core->engine;
    engine->unanswered--;
    if (bytes)
        memcpy(engine->bytes + number, bytes, count);
    engine_sent(core);
}

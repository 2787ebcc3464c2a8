/* SPDX-License-Identifier: MIT */
/* What of the engine is about blocks that leave, or go back where they came from. */
#include "core_lanes.h"

static void begin_saving(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    context_measure(core, slot, &engine->size);
    context_choose_way(core, slot);
    if (engine->uses_memory && !engine->size.buffer && !context_memory_accepts(core, slot))
        return;
    if (engine_make_room(engine, context_buffer_bytes(&engine->size))) {
        engine_out_of_memory(core, "a thread block that moves");
        return;
    }
    byte_stream writer = byte_stream_writer(engine->bytes, engine->size.stream_bytes);
    context_write(core, slot, &writer);
    context_count_spared(core, slot);
    core->counters.context_stop_cycles += core->now.n - engine->stops[slot].edge;
    engine->tag = core->blocks[slot].tag;
    engine->slot = slot;
    engine_begin(core, ENGINE_LEAVING);
}

void context_leave_if_stopped(simt_core *core)
{
    for (uint64_t left = core->engine.chosen; left; left &= left - 1) {
        const uint32_t slot = (uint32_t)__builtin_ctzll(left);
        if (core->blocks[slot].stage == STAGE_STOPPED) {
            begin_saving(core, slot);
            return;
        }
    }
}

static void finish(simt_core *core)
{
    context_engine *engine = &core->engine;
    if (engine->state == ENGINE_RETURNING) {
        engine_refuse(core, engine->tag, HD_REFUSED_RESTORE);
    } else {
        context_leave(core, engine->slot);
        simt_core_send(core->services, core->links.event, engine->message_saved, engine->tag, &engine->size,
                       sizeof engine->size, core->now.t);
        engine_count(core, &core->counters.blocks_saved);
        engine->retry = core->now.n; /* there is room where it was */
    }
    engine_become_idle(core);
}

void context_send_parts(simt_core *core)
{
    context_engine *engine = &core->engine;
    if (engine->state == ENGINE_LEAVING && !engine_announce(core))
        return;
    for (;;) {
        const uint64_t bytes = engine_next_part(engine);
        if (!bytes && !context_memory_is_done(engine))
            return; /* an answer will wake us */
        const uint64_t due = engine_edge_of(engine, engine->passed + bytes);
        if (due > core->now.n) {
            engine->next = due;
            return;
        }
        if (!engine_has_credit(core)) /* the credit will wake us */
            return;
        if (!bytes) {
            finish(core);
            return;
        }
        simt_core_send(core->services, core->links.event, engine->message_context, engine->tag,
                       engine->bytes + engine->size.memory_bytes + engine->passed, (uint32_t)bytes, core->now.t);
        engine->passed += bytes;
    }
}

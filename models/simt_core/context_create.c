/* SPDX-License-Identifier: MIT */
/* The engine that moves thread blocks as it is made, and as it is at first. */
#include "core_lanes.h"

#include <stdlib.h>

int engine_create(simt_core *core)
{
    const hd_services *services = core->services;
    context_engine *engine = &core->engine;
    engine->stored_rate = core_parameter_of(core, PARAMETER_CONTEXT_RATE);
    engine->buffer_rate = core_parameter_of(core, PARAMETER_CONTEXT_BUFFER_RATE);
    engine->message_stop = services->message(services->context, HD_BLOCK_STOP);
    engine->message_context = services->message(services->context, HD_BLOCK_CONTEXT);
    engine->message_saved = services->message(services->context, HD_BLOCK_SAVED);
    engine->message_restore = services->message(services->context, HD_BLOCK_RESTORE);
    engine->message_refused = services->message(services->context, HD_BLOCK_REFUSED);
    engine->message_shuffle = services->message(services->context, HD_BLOCK_SHUFFLE);
    engine->message_leaving = services->message(services->context, HD_BLOCK_LEAVING);
    engine->message_restored = services->message(services->context, HD_BLOCK_RESTORED);
    engine->storage = (uint32_t)core_parameter_of(core, PARAMETER_CONTEXT_STORAGE);
    engine->stops = calloc(core->block_count, sizeof *engine->stops);
    return engine->stops ? context_waiting_create(core) : -1;
}

void engine_destroy(simt_core *core)
{
    free(core->engine.bytes);
    context_waiting_destroy(core);
    free(core->engine.stops);
}

void engine_reset(simt_core *core)
{
    context_engine *engine = &core->engine;
    engine->chosen = engine->deferred = engine->locked = engine->unissued = 0;
    engine->state = ENGINE_IDLE;
    engine->next = UINT64_MAX;
    engine->busy = engine->holds = engine->awaits_credit = engine->unanswered = engine->announces = 0;
    engine->asked = engine->asked_at = engine->retry = 0;
    engine->aside_count = 0;
    engine->told = (told_block){0};
}

void engine_forget(simt_core *core, uint32_t slot)
{
    context_engine *engine = &core->engine;
    const uint64_t others = ~(UINT64_C(1) << slot);
    engine->chosen &= others;
    engine->deferred &= others;
    engine->locked &= others;
    engine->unissued &= others;
}

static void told_transfer(told_block *told, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, told->stop);
    HD_STATE_VALUE(stream, told->order);
    HD_STATE_VALUE(stream, told->watch);
}

/* Of a stream. */
static void bytes_transfer(uint8_t **bytes, uint64_t *capacity, const hd_state_stream *stream)
{
    const uint64_t count = hd_state_number(stream, *capacity);
    if (count > *capacity) {
        *bytes = realloc(*bytes, count);
        *capacity = count;
    }
    if (count && !*bytes)
        abort();
    stream->bytes(stream->context, *bytes, count);
}

static void aside_transfer(aside_block *aside, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, aside->tag);
    HD_STATE_VALUE(stream, aside->size);
    HD_STATE_VALUE(stream, aside->begun);
    HD_STATE_VALUE(stream, aside->asked_at);
    bytes_transfer(&aside->bytes, &aside->capacity, stream);
    arrays_transfer(&aside->arrays, stream);
    told_transfer(&aside->told, stream);
}

void engine_transfer(simt_core *core, const hd_state_stream *stream)
{
    context_engine *engine = &core->engine;
    HD_STATE_VALUE(stream, engine->busy);
    HD_STATE_VALUE(stream, engine->chosen);
    HD_STATE_VALUE(stream, engine->deferred);
    HD_STATE_VALUE(stream, engine->locked);
    HD_STATE_VALUE(stream, engine->unissued);
    HD_STATE_VALUE(stream, engine->state);
    HD_STATE_VALUE(stream, engine->slot);
    HD_STATE_VALUE(stream, engine->tag);
    HD_STATE_VALUE(stream, engine->size);
    HD_STATE_VALUE(stream, engine->begun);
    HD_STATE_VALUE(stream, engine->passed);
    bytes_transfer(&engine->bytes, &engine->capacity, stream);
    HD_STATE_VALUE(stream, engine->uses_memory);
    HD_STATE_VALUE(stream, engine->is_ideal);
    HD_STATE_VALUE(stream, engine->announces);
    HD_STATE_VALUE(stream, engine->unanswered);
    HD_STATE_VALUE(stream, engine->asked);
    HD_STATE_VALUE(stream, engine->asked_at);
    HD_STATE_VALUE(stream, engine->retry);
    HD_STATE_VALUE(stream, engine->aside_count);
    for (uint32_t i = 0; i < engine->aside_count; i++)
        aside_transfer(&engine->aside[i], stream);
    told_transfer(&engine->told, stream);
    HD_STATE_ARRAY(stream, engine->stops, core->block_count);
    HD_STATE_VALUE(stream, engine->next);
    HD_STATE_VALUE(stream, engine->holds);
    HD_STATE_VALUE(stream, engine->awaits_credit);
    HD_STATE_VALUE(stream, engine->rate);
}

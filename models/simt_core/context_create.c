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

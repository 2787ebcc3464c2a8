/* SPDX-License-Identifier: MIT */
/* What the engine has left to do, for those who ask. */
#include <inttypes.h>

#include "core_lanes.h"

uint32_t engine_has_work(const simt_core *core)
{
    return core->engine.state != ENGINE_IDLE || core->engine.holds || core->engine.aside_count;
}

void engine_describe(const simt_core *core, const hd_text_sink *sink)
{
    const context_engine *engine = &core->engine;
    static const char *const states[] = {NULL, "leaves", "cannot enter and goes back", "enters"};
    for (uint32_t i = 0; i < engine->aside_count; i++)
        sink->line(sink->context, "thread block %" PRIu64 " waits for room", engine->aside[i].tag);
    if (engine->state != ENGINE_IDLE)
        sink->line(sink->context, "thread block %" PRIu64 " %s: %" PRIu64 " of %" PRIu64 " bytes have passed",
                   engine->tag, states[engine->state], engine->passed + engine->asked,
                   context_link_bytes(engine) + (engine->uses_memory ? hd_context_bytes(&engine->size) : 0));
}

/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdarg.h>
#include <stdio.h>

static const hd_pending *pending_of(const node *node)
{
    return node->block_class->extension ? node->block_class->extension(node->block, HD_EXTENSION_PENDING) : NULL;
}

static uint32_t has_work(const node *node)
{
    const hd_pending *pending = pending_of(node);
    return pending && pending->has_work(node->block);
}

static uint32_t any_work(const hd_engine *engine)
{
    for (uint32_t b = 0; b < engine->node_count; b++)
        if (has_work(engine->nodes[b]))
            return 1;
    return 0;
}

hd_time hd_engine_patient_since(const hd_engine *engine)
{
    const hd_time progress = hd_engine_progress(engine);
    return progress > engine->progress_base ? progress : engine->progress_base;
}

hd_time hd_engine_patient_until(const hd_engine *engine, hd_time patience)
{
    const hd_time since = hd_engine_patient_since(engine);
    return patience && patience < HD_NEVER - since ? since + patience + 1 : HD_NEVER;
}

/* Since when one of the blocks has computed. */
static hd_time any_computes(const hd_engine *engine, uint32_t anew)
{
    hd_time earliest = HD_NEVER;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        const hd_computes *computes =
            node->block_class->extension ? node->block_class->extension(node->block, HD_EXTENSION_COMPUTES) : NULL;
        if (computes)
            earliest = hd_earlier(earliest, computes->since(node->block, engine->now, anew));
    }
    return earliest;
}

/* Blocks are asked from a quarter of the patience on: who begins to compute in the quarter after it is found in time. */
#define ASK_FROM 4u
#define ASK_STEPS 16u

static void ask_for_computation(hd_engine *engine, hd_time patience)
{
    const hd_time since = hd_engine_patient_since(engine), share = patience / ASK_FROM;
    const uint32_t anew = engine->computes_asked <= since;
    if (!patience || engine->now < since || engine->now - since < share ||
        (!anew && engine->now - engine->computes_asked < patience / ASK_STEPS))
        return;
    engine->computes_asked = engine->now;
    const hd_time computes = any_computes(engine, anew);
    if (computes < engine->now && engine->now - computes >= share)
        engine->progress_base = engine->now;
}

uint32_t hd_engine_status(hd_engine *engine, hd_time patience)
{
    if (engine->has_fault)
        return HD_RUN_FAULT;
    if (hd_engine_next(engine) == HD_NEVER && engine->outside_next == HD_NEVER)
        return any_work(engine) ? HD_RUN_DEADLOCK : HD_RUN_DONE;
    ask_for_computation(engine, patience);
    if (engine->now < hd_engine_patient_until(engine, patience))
        return HD_RUN_GOING;
    if (any_work(engine))
        return HD_RUN_LIVELOCK;
    engine->progress_base = engine->now; /* idle time is nobody's fault */
    return HD_RUN_GOING;
}

typedef struct prefixed_sink {
    const hd_text_sink *sink;
    const char *name;
} prefixed_sink;

static void prefixed_line(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void prefixed_line(void *context, const char *format, ...)
{
    const prefixed_sink *prefixed = context;
    char text[HD_FAULT_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    prefixed->sink->line(prefixed->sink->context, "%s: %s", prefixed->name, text);
}

void hd_engine_describe_pending(hd_engine *engine, const hd_text_sink *sink)
{
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        if (!has_work(node))
            continue;
        prefixed_sink prefixed = {.sink = sink, .name = node->name};
        const hd_text_sink inner = {.context = &prefixed, .line = prefixed_line};
        pending_of(node)->describe(node->block, &inner);
    }
}

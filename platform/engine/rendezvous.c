/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

static uint32_t comes_before(const meeting *a, const meeting *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    if (a->asked != b->asked)
        return a->asked < b->asked;
    return a->block < b->block; /* of one block: in the order of its requests */
}

static hd_time request(void *context, hd_time t, uint32_t what, uint64_t argument)
{
    node *self = context;
    hd_engine *engine = self->engine;
    if (t - self->now >= self->span)
        services_fault(self, t, "%s asks for a rendezvous at %llu ps, called for %llu ps", self->name,
                       (unsigned long long)t, (unsigned long long)self->now);
    const uint64_t edge = hd_clock_index_at_or_after(engine->common, t + HD_WINDOW_MAX + 1);
    const meeting asked = {.at = hd_clock_edge(engine->common, edge),
                           .asked = t,
                           .block = self->index,
                           .what = what,
                           .argument = argument};
    pthread_mutex_lock(&engine->mutex);
    engine->meetings = grow(engine->meetings, engine->meeting_count, sizeof *engine->meetings);
    uint32_t i = engine->meeting_count++;
    for (; i > 0 && comes_before(&asked, &engine->meetings[i - 1]); i--)
        engine->meetings[i] = engine->meetings[i - 1];
    engine->meetings[i] = asked;
    pthread_mutex_unlock(&engine->mutex);
    return asked.at;
}

void rendezvous_init(node *node)
{
    node->rendezvous = (hd_rendezvous){.context = node, .request = request};
}

uint32_t hd_engine_rendezvous_asked(const hd_engine *engine, uint32_t what)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < engine->meeting_count; i++)
        count += (engine->meetings[i].what & what) != 0;
    return count;
}

static void write_back(void *context, uint64_t address, const void *data, uint32_t bytes)
{
    node *self = context;
    const hd_observer *observer = &self->engine->observer;
    if (observer->write_back)
        observer->write_back(observer->context, self->index, address, data, bytes);
    else
        debug_write_below(self, address, data, bytes);
}

static void align_all(hd_engine *engine, hd_time t)
{
    engine->alignments++;
    perturb_begin(engine);
    for (uint32_t b = 0; b < engine->node_count; b++) {
        node *node = engine->nodes[b];
        const hd_align *align =
            node->block_class->extension ? node->block_class->extension(node->block, HD_EXTENSION_ALIGN) : NULL;
        const hd_write_back_sink sink = {.context = node, .write_back = write_back};
        if (align)
            align->align(node->block, t, &sink);
    }
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine_call_at(engine, b, t);
}

void rendezvous_keep(hd_engine *engine)
{
    const hd_time t = engine->meetings[0].at;
    hd_engine_settle(engine, t);
    uint32_t what = 0;
    uint32_t kept = 0;
    for (; kept < engine->meeting_count && engine->meetings[kept].at == t; kept++)
        what |= engine->meetings[kept].what;
    if (what & HD_RENDEZVOUS_ALIGN)
        align_all(engine, t);
    for (uint32_t i = 0; i < kept && engine->observer.rendezvous; i++)
        engine->observer.rendezvous(engine->observer.context, t, engine->meetings[i].what,
                                    engine->meetings[i].argument);
    engine->meeting_count -= kept;
    for (uint32_t i = 0; i < engine->meeting_count; i++)
        engine->meetings[i] = engine->meetings[kept + i];
}

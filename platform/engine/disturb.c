/* SPDX-License-Identifier: MIT */
/* For tests: blocks are called in any order, for parts of a window, and when they have nothing to do. Results are the same. */
#include "engine_internal.h"

uint64_t disturb_draw(hd_engine *engine, uint64_t bound)
{
    return splitmix_next(&engine->disturbance) % bound;
}

/* A call that nobody asked for; what somebody did ask for stays. */
static void call_needlessly(hd_engine *engine, node *node, hd_time now, hd_time horizon)
{
    const hd_time asked = engine->next[node->index];
    engine->next[node->index] = hd_earlier(asked, window_call(node, now, &horizon));
}

/* Also calls those that have nothing to do at the time. */
static void run_disturbed_group(hd_engine *engine, const tap_group *group, hd_time start, hd_time end)
{
    hd_time now = start;
    for (hd_time t; (t = window_group_next(engine, group)) < end; now = t + 1) {
        if (now < t && disturb_draw(engine, 4) == 0) {
            const hd_time until = now + 1 + disturb_draw(engine, t - now);
            call_needlessly(engine, group->members[disturb_draw(engine, group->count)], now, until);
        }
        for (uint32_t i = 0; i < group->count; i++) {
            node *node = group->members[i];
            hd_time until = t + 1;
            if (engine->next[node->index] == t)
                engine->next[node->index] = window_call(node, t, &until);
            else if (disturb_draw(engine, 4) == 0)
                call_needlessly(engine, node, t, t + 1);
        }
    }
}

static void run_disturbed_block(hd_engine *engine, node *node, hd_time now, hd_time end)
{
    while (now < end) {
        hd_time until = disturb_draw(engine, 2) ? end : now + 1 + disturb_draw(engine, end - now);
        const hd_time next = window_call(node, now, &until);
        engine_call_at(engine, node->index, next);
        now = disturb_draw(engine, 2) ? until : next;
    }
}

void disturb_run(hd_engine *engine, hd_time start, hd_time end)
{
    for (uint32_t i = engine->node_count; i > 1; i--) {
        const uint32_t j = (uint32_t)disturb_draw(engine, i);
        const uint32_t other = engine->order[j];
        engine->order[j] = engine->order[i - 1];
        engine->order[i - 1] = other;
    }
    for (uint32_t i = 0; i < engine->node_count; i++) {
        const uint32_t b = engine->order[i];
        const uint32_t needless = disturb_draw(engine, 4) == 0;
        const hd_time now = needless ? hd_earlier(start, engine->next[b]) : engine->next[b];
        if (engine->nodes[b]->group)
            run_disturbed_group(engine, engine->nodes[b]->group, start, end);
        else if (now < end)
            run_disturbed_block(engine, engine->nodes[b], now, end);
    }
}

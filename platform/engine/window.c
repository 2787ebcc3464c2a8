/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

void node_set_clock(node *node, hd_clock clock)
{
    hd_cursor_init(&node->edge, clock);
    node->edge_inverse = clock.hz < UINT64_C(1) << 32 ? UINT64_MAX / clock.hz : 0;
}

hd_time node_edge_far(node *node, hd_time t)
{
    if (node->looks_ahead && t > node->edge.t) { /* any other is still called at edges before */
        hd_cursor_seek(&node->edge, t);
        return node->edge.t;
    }
    return hd_clock_edge(node->edge.clock, hd_cursor_index_of(&node->edge, t));
}

/* What has arrived on an input by `now` has come to the block's notice; returns when the first after it does. */
static hd_time pass_packets(hd_link *link, hd_time now)
{
    while (link->packet_seen != link->packet_tail && link->packets[link->packet_seen & link->mask].t <= now)
        link->packet_seen++;
    return link->packet_seen == link->packet_tail ? HD_NEVER : link->packets[link->packet_seen & link->mask].t;
}

static hd_time pass_credits(hd_link *link, hd_time now)
{
    while (link->credit_seen != link->credit_tail && link->credits[link->credit_seen & link->mask] <= now)
        link->credit_seen++;
    return link->credit_seen == link->credit_tail ? HD_NEVER : link->credits[link->credit_seen & link->mask];
}

/* What has arrived by the first edge from now on becomes visible; returns how far the block can go before more does. A
 * call without an edge makes nothing visible: the block could not look at it. */
static hd_time pass_inputs(node *node, hd_time now, hd_time horizon)
{
    if (node->looks_ahead)
        return horizon;
    if (now > node->edge.t)
        hd_cursor_seek(&node->edge, now);
    const hd_time edge = node->edge.t;
    if (edge >= horizon)
        return horizon;
    hd_time *inputs = node->inputs;
    hd_time first = HD_NEVER, starving = HD_NEVER;
    uint32_t i = 0;
    for (; i < node->packet_input_count; i++) {
        if (inputs[i] <= edge)
            inputs[i] = pass_packets(node->input_links[i], edge);
        first = hd_earlier(first, inputs[i]);
    }
    node->woken = first;
    for (; i < node->input_count; i++) {
        if (inputs[i] <= edge) {
            inputs[i] = pass_credits(node->input_links[i], edge);
            node->starved[i] = 0;
        } else if (__builtin_expect(node->starved[i], 0)) {
            starving = hd_earlier(starving, inputs[i]);
        }
        first = hd_earlier(first, inputs[i]);
    }
    node->woken = hd_earlier(node->woken, starving);
    return first >= horizon ? horizon : hd_earlier(horizon, node_edge(node, first));
}

static hd_time next_call(node *node)
{
    if (node->looks_ahead)
        return node->own_next;
    return node->woken < node->own_next ? hd_earlier(node_edge(node, node->woken), node->own_next) : node->own_next;
}

static __attribute__((noinline)) hd_time left_work(node *node, hd_time now, hd_time horizon, hd_time next)
{
    services_fault(node, now, "%s, called for %llu ps to before %llu ps, left work at %llu ps", node->name,
                   (unsigned long long)now, (unsigned long long)horizon, (unsigned long long)next);
    return horizon;
}

/* Returns when the block has work again. */
static inline hd_time advance(node *node, hd_time now, hd_time horizon)
{
    node->now = now;
    node->span = horizon - now;
    node->calls++;
    const hd_time next = node->block_class->advance(node->block, now, horizon);
    return __builtin_expect(next < horizon, 0) ? left_work(node, now, horizon, next) : next;
}

static hd_time advance_traced(node *node, hd_time now, hd_time horizon)
{
    trace_take_call(node, horizon); /* this is that call, whether another one is asked for or not */
    const hd_time next = advance(node, now, horizon);
    const hd_time asked = trace_take_call(node, node->engine->window_end);
    return asked < horizon ? left_work(node, now, horizon, asked) : hd_earlier(next, asked);
}

/* Returns when the block has to be called next. */
static hd_time call(node *node, hd_time now, hd_time horizon)
{
    node->own_next =
        __builtin_expect(node->trace != NULL, 0) ? advance_traced(node, now, horizon) : advance(node, now, horizon);
    return next_call(node);
}

hd_time window_call(node *node, hd_time now, hd_time *until)
{
    *until = pass_inputs(node, now, *until);
    return call(node, now, *until);
}

hd_time window_group_next(const hd_engine *engine, const tap_group *group)
{
    hd_time t = HD_NEVER;
    for (uint32_t i = 0; i < group->count; i++)
        t = hd_earlier(t, engine->next[group->members[i]->index]);
    return t;
}

void window_run_block(hd_engine *engine, node *node, hd_time end)
{
    hd_time now = engine->next[node->index];
    while (now < end) {
        hd_time until = end;
        now = window_call(node, now, &until);
    }
    engine->next[node->index] = now;
}

static void call_member(hd_engine *engine, node *node, hd_time t)
{
    hd_time until = t + 1;
    engine->next[node->index] = window_call(node, t, &until);
}

/* The blocks of a group take turns instant by instant: a call of a tap finds all that its block does before that time done,
 * and nothing later. An ordering point comes before those that listen to it, so that they can still act at that time. */
static void run_in_turns(hd_engine *engine, const tap_group *group, hd_time end)
{
    for (hd_time t; (t = window_group_next(engine, group)) < end;)
        for (uint32_t i = 0; i < group->count; i++)
            if (engine->next[group->members[i]->index] == t)
                call_member(engine, group->members[i], t);
}

/* Whoever listens to one block alone need not be called until that calls it, which brings it up to the time of the call
 * (taps.c). */
static void run_one_by_one(hd_engine *engine, const tap_group *group, hd_time end)
{
    for (uint32_t i = 0; i < group->count; i++)
        window_run_block(engine, group->members[i], end);
}

/* Blocks of a group, or one that is called whenever something arrives or is traced. */
static __attribute__((noinline)) hd_time run_unit(hd_engine *engine, node *node, hd_time end, outbox *outbox)
{
    const tap_group *group = node->group;
    node->outbox = outbox;
    for (uint32_t i = 0; group && i < group->count; i++)
        group->members[i]->outbox = outbox;
    if (!group)
        window_run_block(engine, node, end);
    else if (group->takes_turns)
        run_in_turns(engine, group, end);
    else
        run_one_by_one(engine, group, end);
    return engine->next[node->index];
}

/* Nearly all that works spans arrivals, and is called alone. Returns when the block has to be called next. */
static inline hd_time run(hd_engine *engine, uint32_t block, hd_time end, outbox *outbox)
{
    node *node = engine->nodes[block];
    if (__builtin_expect(!node->is_plain, 0))
        return run_unit(engine, node, end, outbox);
    const hd_time now = engine->next[block];
    node->outbox = outbox;
    return engine->next[block] = node->own_next = advance(node, now, end);
}

void window_run(hd_engine *engine, uint32_t block, hd_time end, outbox *outbox)
{
    run(engine, block, end, outbox);
}

void window_awaken_groups(hd_engine *engine)
{
    for (uint32_t g = 0; g < engine->group_count; g++)
        for (uint32_t i = 0; i < engine->groups[g]->count; i++) {
            const uint32_t b = engine->groups[g]->members[i]->index;
            if (engine->next[b] != HD_NEVER)
                engine->awake[b / 64] |= UINT64_C(1) << b % 64;
        }
}

/* The least `next` of a side. */
static hd_time earliest_of(hd_engine *engine, uint32_t side)
{
    hd_time earliest = HD_NEVER;
    for (uint32_t first = 0; first < engine->node_count; first += 64)
        for (uint64_t left = engine->awake[first / 64] & engine->leap.members[side][first / 64]; left;
             left &= left - 1) {
            const hd_time next = engine->next[first + (uint32_t)__builtin_ctzll(left)];
            earliest = hd_earlier(earliest, next);
            if (next == HD_NEVER)
                engine->awake[first / 64] ^= left & -left;
        }
    return earliest;
}

void window_find_earliest(hd_engine *engine)
{
    window_awaken_groups(engine);
    for (uint32_t side = 0; side < LEAP_SIDES; side++)
        engine->earliest[side] = earliest_of(engine, side);
}

hd_time window_acts_at(const hd_engine *engine, uint32_t b, hd_time start)
{
    const node *node = engine->nodes[b];
    const hd_time next = engine->next[b];
    if (!window_can_promise(node))
        return next;
    const hd_time promised = node->block_class->promise(node->block, start);
    return promised > next ? promised : next;
}

/* Nothing that block b does from `start` on reaches anybody before this. */
static hd_time reach(const hd_engine *engine, uint32_t b, hd_time start)
{
    const hd_time acts = window_acts_at(engine, b, start);
    return acts == HD_NEVER ? HD_NEVER : acts + engine->out_latency[b];
}

static hd_time window_end(hd_engine *engine, hd_time start, hd_time limit)
{
    hd_time end = hd_earlier(start + engine->window_max, limit);
    end = hd_earlier(end, engine->wire_next);
    end = hd_earlier(end, rendezvous_next(engine));
    end = hd_earlier(end, engine->next_turn);
    for (uint32_t first = 0; first < engine->node_count; first += 64)
        for (uint64_t left = engine->awake[first / 64]; left; left &= left - 1) {
            const uint32_t b = first + (uint32_t)__builtin_ctzll(left);
            if (engine->next[b] < end && engine->next[b] + engine->out_latency[b] < end)
                end = hd_earlier(end, reach(engine, b, start));
        }
    if (__builtin_expect(engine->disturbance != 0, 0))
        end = start + 1 + disturb_draw(engine, end - start);
    return end;
}

hd_time window_run_in_order(hd_engine *engine, hd_time end)
{
    outbox *outbox = engine->outboxes;
    hd_time earliest = HD_NEVER;
    for (uint32_t first = 0; first < engine->node_count; first += 64)
        for (uint64_t left = engine->awake[first / 64] & leap_calls(&engine->leap, first); left; left &= left - 1) {
            const uint32_t b = first + (uint32_t)__builtin_ctzll(left);
            hd_time next = engine->next[b];
            if (next < end)
                next = run(engine, b, end, outbox);
            if (next == HD_NEVER)
                engine->awake[first / 64] ^= left & -left;
            earliest = hd_earlier(earliest, next);
        }
    return earliest;
}

static void run_window(hd_engine *engine, hd_time start, hd_time limit)
{
    if (leap_is_possible(engine)) {
        leap_run(engine, start, limit);
        return;
    }
    if (__builtin_expect(engine->window_watch.before != NULL, 0))
        engine->window_watch.before(engine->window_watch.context);
    const hd_time end = window_end(engine, start, limit);
    window_set_end(engine, end);
    if (__builtin_expect(engine->observer.tracer != NULL, 0))
        trace_schedule_calls(engine, end);
    if (engine->team)
        team_run(engine->team, end);
    else if (__builtin_expect(engine->disturbance != 0, 0))
        disturb_run(engine, start, end);
    else
        window_run_in_order(engine, end);
    outboxes_merge(engine);
    window_find_earliest(engine);
    engine->now = end;
}

hd_time hd_engine_next(const hd_engine *engine)
{
    if (engine->has_fault)
        return HD_NEVER;
    const hd_time next = hd_earlier(engine->earliest[0], engine->earliest[1]);
    return hd_earlier(hd_earlier(next, engine->wire_next), hd_earlier(rendezvous_next(engine), engine->next_turn));
}

hd_time hd_engine_step(hd_engine *engine, hd_time limit)
{
    const hd_time next = hd_engine_next(engine);
    if (next >= limit || next == engine->wire_next)
        return next;
    if (next == rendezvous_next(engine))
        rendezvous_keep(engine);
    else if (next == engine->next_turn)
        direct_take_turns(engine);
    else
        run_window(engine, next, limit);
    return hd_engine_next(engine);
}

hd_time hd_engine_run(hd_engine *engine, hd_time limit)
{
    hd_time next = hd_engine_next(engine);
    engine->is_paused = 0;
    while (next < limit && next != engine->wire_next && !engine->is_paused)
        next = hd_engine_step(engine, limit);
    if (!engine->is_paused && next >= limit && limit != HD_NEVER && !engine->has_fault)
        hd_engine_settle(engine, limit);
    return next;
}

void hd_engine_pause(hd_engine *engine)
{
    engine->is_paused = 1;
}

void hd_engine_limit_windows(hd_engine *engine, hd_time longest, const hd_window_watch *watch)
{
    engine->window_max = longest && longest < HD_WINDOW_MAX ? longest : HD_WINDOW_MAX;
    engine->window_watch = longest && watch ? *watch : (hd_window_watch){0};
}

void hd_engine_wake(hd_engine *engine, uint32_t block)
{
    engine_call_at(engine, block, hd_earlier(engine->next[block], engine->now));
}

/* Where an idle block was left: it may lag behind the last window. */
static hd_time left_at(const node *node)
{
    return node->now + node->span;
}

void hd_engine_settle(hd_engine *engine, hd_time t)
{
    if (engine->has_fault || t < engine->now || t > hd_engine_next(engine) || t == engine->settled)
        return;
    window_set_end(engine, t);
    for (uint32_t b = 0; b < engine->node_count; b++)
        for (hd_time now = t > engine->now ? engine->now : left_at(engine->nodes[b]); now < t;) {
            hd_time until = t;
            engine_call_at(engine, b, window_call(engine->nodes[b], now, &until));
            now = until;
        }
    outboxes_merge(engine);
    window_find_earliest(engine);
    engine->now = engine->settled = t;
}

/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>
#include <string.h>

void *aligned_zero(size_t bytes)
{
    const size_t whole = (bytes + HD_CACHE_LINE - 1) / HD_CACHE_LINE * HD_CACHE_LINE;
    void *memory = aligned_alloc(HD_CACHE_LINE, whole);
    if (!memory)
        abort();
    return memset(memory, 0, whole);
}

void *grow(void *array, uint32_t count, size_t element_bytes)
{
    if (count & (count - 1))
        return array;
    array = realloc(array, (count ? 2 * (size_t)count : 1) * element_bytes);
    if (!array)
        abort();
    return array;
}

hd_engine *hd_engine_create(void)
{
    hd_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        abort();
    engine->wire_next = engine->next_turn = engine->outside_next = HD_NEVER;
    engine->versions = calloc(HD_DIRECT_VERSIONS, sizeof *engine->versions);
    if (!engine->versions)
        abort();
    pthread_mutex_init(&engine->mutex, NULL);
    pool_depot_init(&engine->depot);
    outboxes_create(engine, 1);
    engine->threads = 1;
    engine->window_max = HD_WINDOW_MAX;
    return engine;
}

static void destroy_node(node *node)
{
    if (node->block)
        node->block_class->destroy(node->block);
    for (uint32_t p = 0; node->ports && p < node->block_class->port_count; p++) {
        free(node->ports[p].out);
        free(node->ports[p].in);
        free(node->ports[p].route);
    }
    trace_destroy(node);
    free(node->ports);
    free(node->inputs);
    free(node->starved);
    free(node->input_links);
    free(node->values);
    free(node->name);
    free(node);
}

void hd_engine_destroy(hd_engine *engine)
{
    if (!engine)
        return;
    team_destroy(engine->team);
    for (uint32_t b = 0; b < engine->node_count; b++)
        destroy_node(engine->nodes[b]);
    for (uint32_t i = 0; i < engine->link_count; i++)
        link_destroy(engine->links[i]);
    for (uint32_t i = 0; i < engine->provided_count; i++)
        free(engine->provided[i].id);
    for (uint32_t i = 0; i < engine->message_count; i++)
        free(engine->messages[i]);
    for (uint32_t i = 0; i < engine->log_count; i++)
        free(engine->logs[i].text);
    outboxes_destroy(engine);
    pool_depot_destroy(&engine->depot);
    pthread_mutex_destroy(&engine->mutex);
    taps_destroy(engine);
    free(engine->next);
    free(engine->awake);
    free(engine->out_latency);
    leap_destroy(engine);
    free(engine->nodes);
    free(engine->links);
    free(engine->bindings);
    free(engine->overrides);
    free(engine->provided);
    free(engine->messages);
    free(engine->logs);
    free(engine->meetings);
    free(engine->traced.items);
    free(engine->holders);
    free(engine->versions);
    free(engine->wires);
    free(engine->wire_times);
    free(engine->order);
    free(engine);
}

void hd_engine_set_threads(hd_engine *engine, uint32_t threads)
{
    engine->threads = threads;
    outboxes_destroy(engine);
    outboxes_create(engine, threads);
}

uint32_t hd_engine_threads(const hd_engine *engine)
{
    return engine->team ? team_size(engine->team) : 1;
}

int hd_engine_thread_shortage(const hd_engine *engine)
{
    return engine->thread_shortage;
}

uint32_t hd_engine_add_block(hd_engine *engine, const hd_block_class *block_class, const char *name, uint32_t index,
                             uint32_t count, hd_clock clock, const hd_value *values)
{
    node *added = aligned_zero(sizeof *added);
    added->engine = engine;
    added->index = engine->node_count;
    added->block_class = block_class;
    added->name = strdup(name);
    added->values = calloc(block_class->parameter_count + 1, sizeof *added->values);
    if (block_class->parameter_count)
        memcpy(added->values, values, block_class->parameter_count * sizeof *values);
    services_init(added);
    added->services.index = index;
    added->services.count = count;
    added->services.clock = clock;
    engine->has_direct |= block_class->flags & HD_BLOCK_DIRECT;
    node_set_clock(added, clock);
    engine->nodes = grow(engine->nodes, engine->node_count, sizeof *engine->nodes);
    engine->nodes[engine->node_count] = added;
    return engine->node_count++;
}

void hd_engine_add_link(hd_engine *engine, const hd_binding *binding)
{
    engine->bindings = grow(engine->bindings, engine->binding_count, sizeof *engine->bindings);
    engine->bindings[engine->binding_count++] = *binding;
}

void hd_engine_provide(hd_engine *engine, const char *id, const void *extension)
{
    engine->provided = grow(engine->provided, engine->provided_count, sizeof *engine->provided);
    engine->provided[engine->provided_count++] = (provided){.id = strdup(id), .extension = extension};
}

void hd_engine_set_route(hd_engine *engine, uint32_t block, uint32_t port, uint32_t endpoint, uint32_t element)
{
    engine->overrides = grow(engine->overrides, engine->override_count, sizeof *engine->overrides);
    engine->overrides[engine->override_count++] =
        (route_override){.block = block, .port = port, .endpoint = endpoint, .element = element};
}

void hd_engine_observe(hd_engine *engine, const hd_observer *observer)
{
    engine->observer = *observer;
    for (uint32_t b = 0; b < engine->node_count; b++)
        link_choose_services(engine->nodes[b]);
}

void hd_engine_set_outside(hd_engine *engine, const hd_outside *outside)
{
    engine->outside = *outside;
}

void hd_engine_set_outside_next(hd_engine *engine, hd_time t)
{
    engine->outside_next = t;
}

void hd_engine_disturb(hd_engine *engine, uint64_t seed)
{
    engine->disturbance = seed;
    for (uint32_t i = 0; i < engine->outbox_count; i++)
        engine->outboxes[i].pool.noise = seed ? seed + i : 0;
}

uint32_t hd_engine_block_count(const hd_engine *engine)
{
    return engine->node_count;
}

const char *hd_engine_block_name(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->name;
}

uint32_t hd_engine_find_block(const hd_engine *engine, const char *name)
{
    for (uint32_t b = 0; b < engine->node_count; b++)
        if (strcmp(engine->nodes[b]->name, name) == 0)
            return b;
    return HD_NO_BLOCK;
}

const hd_block_class *hd_engine_block_class(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->block_class;
}

hd_clock hd_engine_block_clock(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->services.clock;
}

hd_block *hd_engine_block(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->block;
}

const hd_services *hd_engine_services(const hd_engine *engine, uint32_t block)
{
    return &engine->nodes[block]->services;
}

const uint64_t *hd_engine_counters(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->block_class->counters(engine->nodes[block]->block);
}

uint64_t hd_engine_calls(const hd_engine *engine, uint32_t block)
{
    return engine->nodes[block]->calls;
}

uint64_t hd_engine_random_state(const hd_engine *engine, uint32_t block)
{
    const uint64_t *state = engine->nodes[block]->random;
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}

hd_clock hd_engine_common_clock(const hd_engine *engine)
{
    return engine->common;
}

hd_time hd_engine_now(const hd_engine *engine)
{
    return engine->now;
}

hd_time hd_engine_progress(const hd_engine *engine)
{
    hd_time latest = 0;
    for (uint32_t b = 0; b < engine->node_count; b++)
        if (engine->nodes[b]->progress > latest)
            latest = engine->nodes[b]->progress;
    return latest;
}

const char *hd_engine_fault(const hd_engine *engine, hd_time *t, uint32_t *block)
{
    if (!engine->has_fault)
        return NULL;
    if (t)
        *t = engine->fault_time;
    if (block)
        *block = engine->fault_block;
    return engine->fault_text;
}

hd_packet *hd_engine_alloc(hd_engine *engine, uint32_t body_bytes)
{
    return body_bytes <= HD_PACKET_STREAM_MAX ? pool_alloc(&engine->outboxes->pool, body_bytes) : NULL;
}

void hd_engine_free(hd_engine *engine, hd_packet *packet)
{
    if (packet)
        pool_free(&engine->outboxes->pool, packet);
}

void hd_engine_mark(hd_engine *engine)
{
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        const hd_mark *mark =
            node->block_class->extension ? node->block_class->extension(node->block, HD_EXTENSION_MARK) : NULL;
        if (mark)
            mark->mark(node->block);
    }
}

static void reset_node(node *node, uint64_t seed)
{
    node->filled = NULL;
    for (uint32_t i = 0; i < node->input_count; i++) {
        node->inputs[i] = HD_NEVER;
        node->starved[i] = 0;
    }
    node->woken = HD_NEVER;
    node->now = 0;
    node->span = 1;
    node->own_next = 0;
    node->sequence = 0;
    node->calls = 0;
    node->progress = 0;
    hd_cursor_seek(&node->edge, 0);
    random_seed(node->random, seed, node->name);
    engine_call_at(node->engine, node->index, 0);
}

void hd_engine_reset(hd_engine *engine, uint64_t seed)
{
    for (uint32_t i = 0; i < engine->link_count; i++)
        link_reset(engine->links[i]);
    for (uint32_t i = 0; i < 2 * engine->wire_count; i++)
        engine->wire_times[i] = HD_NEVER;
    engine->wire_next = engine->outside_next = HD_NEVER;
    window_set_end(engine, 0);
    engine->settled = HD_NEVER;
    engine->now = engine->earliest[0] = engine->earliest[1] = 0;
    engine->progress_base = engine->computes_asked = 0;
    engine->has_fault = 0;
    engine->meeting_count = 0;
    engine->alignments = 0;
    leap_reset(engine);
    perturb_begin(engine);
    direct_reset(engine);
    trace_reset(engine);
    for (uint32_t b = 0; b < engine->node_count; b++)
        reset_node(engine->nodes[b], seed);
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine->nodes[b]->block_class->reset(engine->nodes[b]->block);
    outboxes_count_anew(engine);
    services_flush_logs(engine);
}

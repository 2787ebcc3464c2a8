/* SPDX-License-Identifier: MIT */
/*
 * Order within one edge: one message from dispatch, before everything else; what leaves, after it. A message that finds the
 * engine at work, or no credit for its answer, stays on dispatch with those behind it.
 */
#include "context_engine.h"

#include "core_lanes.h"
#include "hd_link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void fault(simt_core *core, const hd_packet *packet, const char *what)
{
    core->fault.halted = 1;
    core->services->fault(core->services->context, core->now.t, "%s: dispatch brings %s of thread block %" PRIu64,
                          core->services->name, what, packet->tag);
}

int engine_make_room(context_engine *engine, uint64_t bytes)
{
    if (bytes <= engine->capacity)
        return 0;
    const uint64_t capacity = bytes > 2 * engine->capacity ? bytes : 2 * engine->capacity;
    uint8_t *grown = realloc(engine->bytes, capacity);
    if (!grown)
        return -1;
    memset(grown + engine->capacity, 0,
           capacity - engine->capacity); /* a block that comes may be saved before all of it is here */
    engine->bytes = grown;
    engine->capacity = capacity;
    return 0;
}

void engine_out_of_memory(simt_core *core, const char *what)
{
    core->fault.halted = 1;
    core->services->fault(core->services->context, core->now.t, "%s: out of memory for %s", core->services->name, what);
}

static uint32_t has_all(const context_engine *engine)
{
    return engine->passed == context_link_bytes(engine) && context_memory_is_done(engine);
}

/* Edge at which so many bytes of the stream have passed: each stands for its share of the architectural ones. Those beside requests to
 * memory stand for none. */
uint64_t engine_edge_of(const context_engine *engine, uint64_t passed)
{
    if (engine->uses_memory)
        return engine->begun;
    const double share = (double)passed / (double)engine->size.stream_bytes;
    return context_edge_of(engine, (double)hd_context_bytes(&engine->size) * share);
}

uint64_t engine_next_part(const context_engine *engine)
{
    const uint64_t left = context_link_bytes(engine) - engine->passed;
    const uint64_t most = engine->is_ideal ? HD_PACKET_STREAM_MAX : HD_PACKET_BODY_MAX;
    return left < most ? left : most;
}

void engine_begin(simt_core *core, uint32_t state)
{
    context_engine *engine = &core->engine;
    engine->state = state;
    engine->begun = core->now.n;
    engine->passed = 0;
    context_memory_begin(core);
}

/* Another block may leave at the next edge, or a message has waited for this. */
void engine_become_idle(simt_core *core)
{
    context_engine *engine = &core->engine;
    engine->state = ENGINE_IDLE;
    engine->holds = 0;
    engine->next = engine->chosen || engine->aside_count ? core->now.n + 1 : UINT64_MAX;
}

void engine_count(simt_core *core, uint64_t *blocks)
{
    const context_engine *engine = &core->engine;
    const uint64_t last = engine->uses_memory ? engine->asked_at : core->now.n;
    ++*blocks;
    core->counters.blocks_shuffled += engine->size.buffer != 0;
    core->counters.context_bytes += hd_context_bytes(&engine->size);
    core->counters.context_cycles += last - engine->begun;
    core->counters.context_answer_cycles += core->now.n - last;
}

uint32_t engine_has_credit(simt_core *core)
{
    const hd_services *services = core->services;
    core->engine.awaits_credit = !hd_link_has_credit(services, core->links.event, core->now.t);
    if (core->engine.awaits_credit)
        core->edges.credit_arrival = services->credit_arrival(services->context, core->links.event);
    return !core->engine.awaits_credit;
}

void engine_refuse(simt_core *core, uint64_t tag, uint32_t reason)
{
    const hd_services *services = core->services;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = core->engine.message_refused;
    packet->source = (uint16_t)services->endpoint;
    packet->tag = tag;
    packet->argument = reason;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    services->send(services->context, core->links.event, packet, core->now.t);
}

uint32_t engine_announce(simt_core *core)
{
    context_engine *engine = &core->engine;
    const uint32_t leaves = engine->state == ENGINE_LEAVING;
    if (!engine->announces)
        return 1;
    if (!engine_has_credit(core))
        return 0;
    simt_core_send(core->services, core->links.event, leaves ? engine->message_leaving : engine->message_restored,
                   engine->tag, &engine->size, leaves ? sizeof engine->size : 0, core->now.t);
    engine->announces = 0;
    return 1;
}

/* ---- What comes --------------------------------------------------------------------------------------------------- */

/* The message has been dealt with. */
static void take(simt_core *core)
{
    const hd_services *services = core->services;
    services->free(services->context, services->pop(services->context, core->links.dispatch, core->now.t));
    core->edges.launch_arrival = hd_link_arrival(core->links.dispatch);
}

/* Its block comes, but not all of it is here yet: what is asked of the block waits for it. */
static uint32_t enters(simt_core *core, uint64_t tag)
{
    context_engine *engine = &core->engine;
    const uint32_t by_steps = engine->uses_memory || core->words.knows_arrays;
    engine->holds =
        context_waits_for_room(engine, tag) || (by_steps && engine->state == ENGINE_ARRIVING && engine->tag == tag);
    return engine->holds;
}

static stop_order order_of(const simt_core *core, const hd_packet *packet)
{
    stop_order order = {.edge = core->now.n};
    if (packet->message != core->engine.message_shuffle) {
        order.is_ideal = packet->argument == HD_STOP_IDEAL;
        return order;
    }
    hd_block_buffer buffer;
    memcpy(&buffer, hd_body_const(packet), sizeof buffer);
    order.buffer = buffer.number + 1;
    order.buffer_bytes = buffer.bytes;
    return order;
}

static void accept_stop(simt_core *core, const hd_packet *packet)
{
    context_engine *engine = &core->engine;
    const stop_order order = order_of(core, packet);
    const uint64_t tag = packet->tag;
    told_block *told = context_waits_for_room(engine, tag);
    if (told && !told->stop) {
        told->stop = 1;
        told->order = order;
        take(core);
        return;
    }
    if (enters(core, tag))
        return;
    const uint32_t slot = context_find(core, tag);
    const uint32_t is_told = slot != NO_SLOT && core->engine.chosen >> slot & 1;
    if (slot != NO_SLOT && core->blocks[slot].stage == STAGE_RUNNING && !is_told) {
        core->engine.chosen |= UINT64_C(1) << slot;
        core->engine.stops[slot] = order;
        context_stop_or_wait(core, slot);
    } else if (engine_has_credit(core)) {
        engine_refuse(core, tag, slot == NO_SLOT ? HD_REFUSED_UNKNOWN : HD_REFUSED_STOPPING);
    } else {
        core->engine.holds = 1;
        return;
    }
    take(core);
}

/* A context of this size, from a core like this one? */
static uint32_t can_have_come(const context_engine *engine, uint32_t how)
{
    const hd_context_size *size = &engine->size;
    const uint32_t by_links = how == HD_STOP_IDEAL || engine->storage == CONTEXT_WITH_SCHEDULER;
    return size->stream_bytes && size->memory_bytes <= size->stream_bytes && (size->memory_bytes == 0) == by_links &&
           (!size->buffer || (engine->storage == CONTEXT_IN_BUFFERS && size->memory_bytes <= size->buffer_bytes));
}

static void accept_restore(simt_core *core, const hd_packet *packet)
{
    context_engine *engine = &core->engine;
    if (engine->state != ENGINE_IDLE || engine->aside_count == engine->aside_limit) {
        engine->holds = 1;
        return;
    }
    memcpy(&engine->size, hd_body_const(packet), sizeof engine->size);
    if (!can_have_come(engine, packet->argument)) {
        fault(core, packet, engine->size.stream_bytes ? "a context of another context.storage" : "no byte");
        return;
    }
    if (engine_make_room(engine, context_buffer_bytes(&engine->size))) {
        engine_out_of_memory(core, "a thread block that moves");
        return;
    }
    engine->tag = packet->tag;
    engine->uses_memory = engine->size.memory_bytes != 0;
    engine->announces = engine->size.buffer != 0;
    engine->is_ideal = packet->argument == HD_STOP_IDEAL;
    context_choose_rate(engine);
    arrays_begin(core);
    engine_begin(core, ENGINE_ARRIVING);
    take(core);
}

static void accept_watch(simt_core *core, const hd_packet *packet)
{
    if (!((const hd_block_watch *)hd_body_const(packet))->period) {
        fault(core, packet, "windows of no cycle");
        return;
    }
    told_block *told = context_waits_for_room(&core->engine, packet->tag);
    if (told) {
        memcpy(&told->watch, hd_body_const(packet), sizeof told->watch);
        take(core);
        return;
    }
    if (enters(core, packet->tag))
        return;
    levels_watch(core, packet);
    take(core);
}

void context_let_in(simt_core *core)
{
    context_engine *engine = &core->engine;
    char why[256]; /* is for those who restore by hand */
    byte_stream reader = byte_stream_reader(engine->bytes, engine->size.stream_bytes);
    const uint32_t slot = context_read(core, &reader, why, sizeof why);
    if (slot == NO_SLOT && (engine->uses_memory || engine->is_ideal) && core->residency.in.blocks) {
        context_wait_for_room(core);
        return;
    }
    if (slot == NO_SLOT) {
        engine->told = (told_block){0};
        engine_begin(core, ENGINE_RETURNING);
        engine->next = core->now.n;
        return;
    }
    if (arrays_end(core, engine->tag))
        return;
    context_go_on(core, slot);
    engine->unissued |= UINT64_C(1) << slot;
    core->edges.changed = 1;
    core->edges.next = core->now.n + 1; /* where the pipeline has had its turn at this edge */
    engine_count(core, &core->counters.blocks_restored);
    engine_become_idle(core);
    context_do_as_told(core, slot);
}

static void accept_context(simt_core *core, const hd_packet *packet)
{
    context_engine *engine = &core->engine;
    if (engine->state != ENGINE_ARRIVING || packet->tag != engine->tag ||
        packet->body_bytes != engine_next_part(engine)) {
        fault(core, packet, "bytes that nobody has announced");
        return;
    }
    const uint64_t passed = engine->passed + packet->body_bytes, due = engine_edge_of(engine, passed);
    const uint64_t at = engine->size.memory_bytes + engine->passed;
    if (due > core->now.n) {
        engine->holds = 1;
        engine->next = due;
        return;
    }
    memcpy(engine->bytes + at, hd_body_const(packet), packet->body_bytes);
    engine->passed = passed;
    if (!engine->uses_memory)
        engine->next = UINT64_MAX;
    take(core);
    if (!engine->uses_memory && !core->words.knows_arrays && has_all(engine))
        context_let_in(core);
}

void engine_accept(simt_core *core, const hd_packet *packet)
{
    const context_engine *engine = &core->engine;
    core->engine.holds = 0;
    core->engine.busy = 1;
    if (packet->message == core->levels.message_watch && core->levels.blocks)
        accept_watch(core, packet);
    else if (!core_parameter_of(core, PARAMETER_CONTEXT_ENGINE))
        fault(core, packet, "a message without meaning here (context.engine is none)");
    else if (packet->message == engine->message_stop ||
             (packet->message == engine->message_shuffle && engine->storage == CONTEXT_IN_BUFFERS))
        accept_stop(core, packet);
    else if (packet->message == engine->message_restore)
        accept_restore(core, packet);
    else if (packet->message == engine->message_context)
        accept_context(core, packet);
    else
        fault(core, packet, "a message without meaning here");
}

/* ---- Its work ------------------------------------------------------------------------------------------------------- */

/* It is not here as soon as its stream is. */
static uint32_t enters_by_steps(const simt_core *core)
{
    return core->engine.state == ENGINE_ARRIVING && (core->engine.uses_memory || core->words.knows_arrays);
}

void engine_work(simt_core *core)
{
    context_engine *engine = &core->engine;
    if (!engine->holds)
        engine->awaits_credit = 0;
    if (engine->state != ENGINE_ARRIVING || engine->uses_memory || !engine->holds)
        engine->next = UINT64_MAX;
    if (engine->state == ENGINE_IDLE && engine->aside_count)
        context_try_waiting(core);
    if (engine->state == ENGINE_IDLE)
        context_leave_if_stopped(core);
    if (engine->deferred)
        context_stop_waiting(core);
    if (engine->uses_memory)
        context_memory_ask(core);
    if (enters_by_steps(core) && has_all(engine) && engine_announce(core) && arrays_are_here(core))
        context_let_in(core);
    if (engine->state == ENGINE_IDLE && engine->aside_count)
        context_leave_if_stopped(core);
    if (engine->state == ENGINE_LEAVING || engine->state == ENGINE_RETURNING)
        context_send_parts(core);
    engine->busy = engine->chosen || engine_has_work(core);
}

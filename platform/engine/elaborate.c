/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "requirements.h"

typedef struct report {
    const hd_text_sink *sink;
    uint32_t errors;
} report;

#define COMPLAIN(report, ...)                                                                                          \
    do {                                                                                                               \
        (report)->errors++;                                                                                            \
        if ((report)->sink)                                                                                            \
            (report)->sink->line((report)->sink->context, __VA_ARGS__);                                                \
    } while (0)

static const hd_port *port_of(const hd_engine *engine, uint32_t block, uint32_t port)
{
    return &engine->nodes[block]->block_class->ports[port];
}

static uint32_t check_end(hd_engine *engine, uint32_t block, uint32_t port, uint32_t element, report *report)
{
    if (block == HD_FOREIGN)
        return 1;
    if (block >= engine->node_count || port >= engine->nodes[block]->block_class->port_count) {
        COMPLAIN(report, "a link names block %u, port %u: there is none", block, port);
        return 0;
    }
    const hd_port *declared = port_of(engine, block, port);
    if (element < declared->maximum_count)
        return 1;
    COMPLAIN(report, "%s: port %s has at most %u elements, not %u", engine->nodes[block]->name, declared->name,
             declared->maximum_count, element + 1);
    return 0;
}

static uint32_t is_memory(const hd_engine *engine, const hd_binding *binding)
{
    const uint32_t block = binding->from_block != HD_FOREIGN ? binding->from_block : binding->to_block;
    const uint32_t port = binding->from_block != HD_FOREIGN ? binding->from_port : binding->to_port;
    return port_of(engine, block, port)->direction >= HD_PORT_INITIATOR;
}

/* Both ends are blocks with ports of the protocol tap. */
static uint32_t check_tap(hd_engine *engine, const hd_binding *binding, report *report)
{
    if (binding->from_block != HD_FOREIGN && binding->to_block != HD_FOREIGN &&
        port_of(engine, binding->from_block, binding->from_port)->direction == HD_PORT_TAPPED &&
        port_of(engine, binding->to_block, binding->to_port)->direction == HD_PORT_TAP)
        return 1;
    COMPLAIN(report, "a tap of %s does not join an ordering point with one that listens",
             engine->nodes[binding->from_block != HD_FOREIGN ? binding->from_block : binding->to_block]->name);
    return 0;
}

static uint32_t check_timing(const hd_link_timing *timing)
{
    return timing->latency >= 1 && timing->credit_latency >= 1 && timing->credits >= 1;
}

static uint32_t check_binding(hd_engine *engine, const hd_binding *binding, report *report)
{
    if (binding->from_block == HD_FOREIGN && binding->to_block == HD_FOREIGN) {
        COMPLAIN(report, "a link has no end at a block");
        return 0;
    }
    if (!check_end(engine, binding->from_block, binding->from_port, binding->from_element, report) ||
        !check_end(engine, binding->to_block, binding->to_port, binding->to_element, report))
        return 0;
    if (taps_are_joined(engine, binding))
        return check_tap(engine, binding, report);
    const uint32_t memory = is_memory(engine, binding);
    const uint32_t from = memory ? HD_PORT_INITIATOR : HD_PORT_SEND;
    const uint32_t to = memory ? HD_PORT_TARGET : HD_PORT_RECEIVE;
    if ((binding->from_block != HD_FOREIGN &&
         port_of(engine, binding->from_block, binding->from_port)->direction != from) ||
        (binding->to_block != HD_FOREIGN && port_of(engine, binding->to_block, binding->to_port)->direction != to)) {
        COMPLAIN(report, "a link of %s joins ports whose directions or protocols do not fit",
                 engine->nodes[binding->from_block != HD_FOREIGN ? binding->from_block : binding->to_block]->name);
        return 0;
    }
    if (!check_timing(&binding->request) || (memory && !check_timing(&binding->response))) {
        COMPLAIN(report, "a link of %s has a latency, credit latency or credits of 0",
                 engine->nodes[binding->from_block != HD_FOREIGN ? binding->from_block : binding->to_block]->name);
        return 0;
    }
    return 1;
}

static uint32_t claim(hd_link ***slots, uint32_t *count, uint32_t element, hd_link *link)
{
    if ((*slots)[element])
        return 0;
    (*slots)[element] = link;
    if (element + 1 > *count)
        *count = element + 1;
    return 1;
}

static void add_link(hd_engine *engine, hd_link_end from, hd_link_end to, const hd_link_timing *timing, uint32_t wire,
                     report *report)
{
    hd_link *link = link_create();
    engine->links = grow(engine->links, engine->link_count, sizeof *engine->links);
    engine->links[engine->link_count++] = link;
    link->engine = engine;
    link->from = from;
    link->to = to;
    link->latency = timing->latency;
    link->credit_latency = timing->credit_latency;
    link->capacity = timing->credits;
    link->is_wire = wire || from.block == HD_FOREIGN || to.block == HD_FOREIGN;
    link_init(link);
    if (link->is_wire) {
        link->wire.index = engine->wire_count;
        engine->wires = grow(engine->wires, engine->wire_count, sizeof *engine->wires);
        engine->wires[engine->wire_count++] = link;
    }
    if (from.block != HD_FOREIGN) {
        link->sender = engine->nodes[from.block];
        node_port *port = &link->sender->ports[from.port];
        if (!claim(&port->out, &port->count, from.element, link))
            COMPLAIN(report, "%s: port %s[%u] is bound twice", link->sender->name,
                     port_of(engine, from.block, from.port)->name, from.element);
    }
    if (to.block != HD_FOREIGN) {
        link->receiver = engine->nodes[to.block];
        node_port *port = &link->receiver->ports[to.port];
        if (!claim(&port->in, &port->count, to.element, link))
            COMPLAIN(report, "%s: port %s[%u] is bound twice", link->receiver->name,
                     port_of(engine, to.block, to.port)->name, to.element);
    }
    if (timing->is_perturbed && engine->perturb_seed && link->sender)
        perturb_link(link);
}

static void bind(hd_engine *engine, const hd_binding *binding, report *report)
{
    if (!check_binding(engine, binding, report))
        return;
    if (taps_are_joined(engine, binding)) {
        taps_add(engine, binding);
        return;
    }
    const hd_link_end from = {binding->from_block, binding->from_port, binding->from_element};
    const hd_link_end to = {binding->to_block, binding->to_port, binding->to_element};
    add_link(engine, from, to, &binding->request, binding->wire, report);
    if (is_memory(engine, binding))
        add_link(engine, to, from, &binding->response, binding->wire, report);
}

static uint32_t elements_of(const hd_engine *engine, uint32_t block, uint32_t port)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < engine->binding_count; i++) {
        const hd_binding *binding = &engine->bindings[i];
        if (binding->from_block == block && binding->from_port == port && binding->from_element >= count)
            count = binding->from_element + 1;
        if (binding->to_block == block && binding->to_port == port && binding->to_element >= count)
            count = binding->to_element + 1;
    }
    return count;
}

static void make_ports(node *node)
{
    node->ports = calloc(node->block_class->port_count + 1, sizeof *node->ports);
    for (uint32_t p = 0; p < node->block_class->port_count; p++) {
        uint32_t count = elements_of(node->engine, node->index, p);
        if (count > node->block_class->ports[p].maximum_count)
            count = node->block_class->ports[p].maximum_count;
        node->ports[p].out = calloc(count + 1, sizeof(hd_link *));
        node->ports[p].in = calloc(count + 1, sizeof(hd_link *));
    }
}

static void check_ports(const node *node, report *report)
{
    for (uint32_t p = 0; p < node->block_class->port_count; p++) {
        const hd_port *declared = &node->block_class->ports[p];
        const node_port *port = &node->ports[p];
        const uint32_t bound =
            declared->direction >= HD_PORT_TAPPED ? elements_of(node->engine, node->index, p) : port->count;
        if (bound < declared->minimum_count)
            COMPLAIN(report, "%s: port %s needs at least %u elements and has %u", node->name, declared->name,
                     declared->minimum_count, bound);
        for (uint32_t e = 0; e < port->count; e++)
            if (!port->out[e] && !port->in[e])
                COMPLAIN(report, "%s: port %s[%u] is not bound, but a later element is", node->name, declared->name, e);
    }
}

static void add_input(node *node, hd_link *link, uint32_t *index)
{
    node->input_links = grow(node->input_links, node->input_count, sizeof *node->input_links);
    node->input_links[node->input_count] = link;
    *index = node->input_count++;
}

/* Numbers the block's inputs and finds how soon others can notice it. */
static void number_inputs(node *node)
{
    hd_time *out_latency = &node->engine->out_latency[node->index];
    *out_latency = HD_WINDOW_MAX;
    for (uint32_t p = 0; p < node->block_class->port_count; p++)
        for (uint32_t e = 0; e < node->ports[p].count; e++) {
            hd_link *in = node->ports[p].in[e];
            if (!in)
                continue;
            add_input(node, in, &in->packet_input);
            if (in->credit_latency < *out_latency)
                *out_latency = in->credit_latency;
        }
    node->packet_input_count = node->input_count;
    for (uint32_t p = 0; p < node->block_class->port_count; p++)
        for (uint32_t e = 0; e < node->ports[p].count; e++) {
            hd_link *out = node->ports[p].out[e];
            if (!out)
                continue;
            add_input(node, out, &out->credit_input);
            if (out->latency < *out_latency)
                *out_latency = out->latency;
        }
    node->looks_ahead = (node->block_class->flags & HD_BLOCK_LOOKS_AHEAD) != 0;
    node->inputs = aligned_zero((node->input_count + 1) * sizeof *node->inputs);
    node->starved = aligned_zero((node->input_count + 1) * sizeof *node->starved);
}

static void create_block(node *node, report *report)
{
    const hd_block_class *class = node->block_class;
    if (class->abi_version != HD_ABI_VERSION || class->struct_bytes < sizeof *class) {
        COMPLAIN(report, "%s: %s/%s was built for version %u of the block interface, this is version %u", node->name,
                 class->kind, class->type, class->abi_version, HD_ABI_VERSION);
        return;
    }
    hd_conflict conflict = {0};
    if (!units_check(class, node->values, node->services.clock, &conflict)) {
        COMPLAIN(report, "%s: %s", node->name, conflict.text);
        return;
    }
    char error[512] = "";
    if (node->engine->observer.tracer)
        trace_init(node);
    node->block = class->create(&node->services, node->values, error, sizeof error);
    if (!node->block)
        COMPLAIN(report, "%s: %s", node->name, error[0] ? error : "refused without a reason");
}

static void connect_block(node *node)
{
    for (uint32_t p = 0; p < node->block_class->port_count; p++)
        for (uint32_t e = 0; e < node->ports[p].count; e++)
            node->block_class->connect(node->block, p, e, node->ports[p].out[e], node->ports[p].in[e]);
}

void elaborate_again(node *node)
{
    const struct node before = *node;
    char error[512];
    node->block_class->destroy(node->block);
    node->block = node->block_class->create(&node->services, node->values, error, sizeof error);
    if (!node->block)
        abort(); /* it has been made with these values before */
    connect_block(node);
    taps_attach_again(node);
    direct_hold_again(node->engine, before.block, node->block);
    node->block_class->reset(node->block);
    memcpy(node->random, before.random, sizeof node->random);
    node->turn = before.turn;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void make_nodes(hd_engine *engine)
{
    engine->next = calloc(engine->node_count + 1, sizeof *engine->next);
    engine->awake = calloc(engine->node_count / 64 + 1, sizeof *engine->awake);
    engine->out_latency = calloc(engine->node_count + 1, sizeof *engine->out_latency);
    engine->order = calloc(engine->node_count + 1, sizeof *engine->order);
    engine->common.hz = 0;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        make_ports(engine->nodes[b]);
        engine->nodes[b]->outbox = engine->outboxes;
        engine->order[b] = b;
        engine->common.hz = divisor(engine->nodes[b]->services.clock.hz, engine->common.hz);
    }
}

/* Returns how many errors there were. */
static uint32_t create_blocks(hd_engine *engine, const hd_text_sink *errors)
{
    report report = {.sink = errors};
    for (uint32_t i = 0; i < engine->binding_count; i++)
        bind(engine, &engine->bindings[i], &report);
    engine->wire_times = calloc(2 * (size_t)engine->wire_count + 2, sizeof *engine->wire_times);
    for (uint32_t b = 0; b < engine->node_count; b++)
        check_ports(engine->nodes[b], &report);
    for (uint32_t b = 0; b < engine->node_count; b++)
        create_block(engine->nodes[b], &report);
    return report.errors;
}

static void connect_blocks(hd_engine *engine)
{
    for (uint32_t b = 0; b < engine->node_count; b++) {
        number_inputs(engine->nodes[b]);
        link_choose_services(engine->nodes[b]);
    }
    outboxes_make_room(engine);
    route_compute(engine);
    for (uint32_t b = 0; b < engine->node_count; b++)
        connect_block(engine->nodes[b]);
}

uint32_t hd_engine_build(hd_engine *engine, const hd_text_sink *errors)
{
    make_nodes(engine);
    uint32_t count = create_blocks(engine, errors);
    if (count)
        return count;
    connect_blocks(engine);
    count = taps_attach(engine, errors);
    if (count)
        return count;
    for (uint32_t b = 0; b < engine->node_count; b++)
        engine->nodes[b]->is_plain =
            engine->nodes[b]->looks_ahead && !engine->nodes[b]->group && !engine->nodes[b]->trace;
    leap_prepare(engine);
    if (direct_find_holders(engine, errors))
        return 1;
    if (engine->threads > 1 && !engine->has_direct)
        engine->team = team_create(engine, engine->threads, &engine->thread_shortage);
    return 0;
}

uint32_t hd_engine_elaborate(hd_engine *engine, const hd_text_sink *errors)
{
    const uint32_t count = hd_engine_build(engine, errors);
    if (!count)
        hd_engine_reset(engine, 0);
    return count;
}

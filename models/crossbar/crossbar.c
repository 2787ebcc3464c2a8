/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

#define ROUTE_UNKNOWN UINT16_MAX

static uint32_t ring_size(uint32_t flights)
{
    uint32_t size = 1;
    while (size < flights)
        size *= 2;
    return size;
}

hd_block *crossbar_create(const hd_services *services, const hd_value *values, crossbar_arbiter *arbitrate, char *error,
                          size_t error_bytes)
{
    struct crossbar *crossbar = calloc(1, sizeof *crossbar);
    if (!crossbar) {
        snprintf(error, error_bytes, "out of memory");
        return NULL;
    }
    crossbar->services = services;
    crossbar->flit_bytes = (uint32_t)values[PARAMETER_FLIT_BYTES].u;
    crossbar->latency = (uint32_t)values[PARAMETER_LATENCY].u;
    crossbar->arbitrate = arbitrate;
    /* Grants of one input are at least as far apart as packets are long: latency + 1 are in flight at most. */
    crossbar->ring_size = ring_size(crossbar->latency + 1);
    return (hd_block *)crossbar;
}

void crossbar_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    if (port == PORT_INPUT) {
        struct input *input = &crossbar->inputs[element];
        input->link = in;
        input->flights = calloc(crossbar->ring_size, sizeof *input->flights);
        crossbar->inputs_bound |= UINT64_C(1) << element;
        return;
    }
    crossbar->outputs[element].link = out;
}

static void drop_flights(struct crossbar *crossbar)
{
    const hd_services *services = crossbar->services;
    for (uint64_t set = crossbar->flying; set; set &= set - 1) {
        struct input *input = &crossbar->inputs[__builtin_ctzll(set)];
        for (uint32_t i = 0; i < input->flight_count; i++)
            services->free(services->context,
                           input->flights[(input->first_flight + i) & (crossbar->ring_size - 1)].packet);
    }
    crossbar->flying = 0;
}

void crossbar_reset(hd_block *block)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    drop_flights(crossbar);
    crossbar->heads = 0;
    crossbar->requested = 0;
    crossbar->busy_end = 0;
    crossbar->blocked = 0;
    crossbar->delivery_edge = UINT64_MAX;
    crossbar->grant_edge = UINT64_MAX;
    crossbar->head_work = hd_work_none();
    for (uint32_t i = 0; i < CROSSBAR_PORTS; i++) {
        crossbar->inputs[i] = (struct input){
            .link = crossbar->inputs[i].link, .flights = crossbar->inputs[i].flights, .arrival = HD_NEVER};
        crossbar->outputs[i] = (struct output){.link = crossbar->outputs[i].link, .blocked_since = UINT64_MAX};
    }
    memset(crossbar->routes, 0xFF, sizeof crossbar->routes);
    memset(crossbar->statistics, 0, sizeof crossbar->statistics);
    hd_cursor_init(&crossbar->cursor, crossbar->services->clock);
}

void crossbar_destroy(hd_block *block)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    if (!crossbar)
        return;
    drop_flights(crossbar);
    for (uint32_t i = 0; i < CROSSBAR_PORTS; i++)
        free(crossbar->inputs[i].flights);
    free(crossbar);
}

/* Output that leads to the endpoint; UINT32_MAX = none. */
static uint32_t route(struct crossbar *crossbar, uint16_t endpoint)
{
    if (crossbar->routes[endpoint] == ROUTE_UNKNOWN) {
        const hd_services *services = crossbar->services;
        const uint32_t element = services->route(services->context, PORT_OUTPUT, endpoint);
        if (element >= CROSSBAR_PORTS || !crossbar->outputs[element].link)
            return UINT32_MAX;
        crossbar->routes[endpoint] = (uint16_t)element;
    }
    return crossbar->routes[endpoint];
}

static void deliver(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    crossbar->delivery_edge = UINT64_MAX;
    for (uint64_t set = crossbar->flying; set; set &= set - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(set);
        struct input *input = &crossbar->inputs[index];
        const struct flight *flight = &input->flights[input->first_flight];
        if (flight->edge == n) {
            struct output *output = &crossbar->outputs[flight->output];
            services->send(services->context, output->link, flight->packet, t);
            output->flight_count--;
            input->first_flight = (input->first_flight + 1) & (crossbar->ring_size - 1);
            if (--input->flight_count == 0) {
                crossbar->flying &= ~(UINT64_C(1) << index);
                continue;
            }
        }
        crossbar->delivery_edge = hd_earlier(crossbar->delivery_edge, input->flights[input->first_flight].edge);
    }
}

/* When to look at the input again, seen from edge n. */
static void expect_head(struct crossbar *crossbar, const struct input *input, uint64_t n)
{
    if (input->arrival == HD_NEVER)
        return;
    if (input->free_edge > n)
        hd_work_at_edge(&crossbar->head_work, input->free_edge);
    else
        hd_work_at_time(&crossbar->head_work, input->arrival);
}

static void refuse(struct crossbar *crossbar, struct input *input, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    hd_packet *packet = services->pop(services->context, input->link, t);
    if (packet->destination_set)
        services->fault(services->context, t, "%s: a packet from endpoint %" PRIu16 " is for a set of endpoints",
                        services->name, packet->source);
    else
        services->fault(services->context, t, "%s: no way to endpoint %" PRIu16 " for a packet from endpoint %" PRIu16,
                        services->name, packet->destination, packet->source);
    services->free(services->context, packet);
    input->free_edge = n + 1;
    input->arrival = services->arrival(services->context, input->link);
    expect_head(crossbar, input, n);
}

/* Puts the head of an input among the requests of its output. */
static void look_at_head(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct input *input = &crossbar->inputs[index];
    const hd_packet *packet = services->peek(services->context, input->link, t);
    const uint32_t destination = packet->destination_set ? UINT32_MAX : route(crossbar, packet->destination);
    if (destination == UINT32_MAX) {
        refuse(crossbar, input, n, t);
        return;
    }
    const uint32_t flits = (packet->wire_bytes + crossbar->flit_bytes - 1) / crossbar->flit_bytes;
    input->flits = flits ? flits : 1;
    input->output = destination;
    struct output *output = &crossbar->outputs[destination];
    output->requests |= UINT64_C(1) << index;
    crossbar->heads |= UINT64_C(1) << index;
    crossbar->requested |= UINT64_C(1) << destination;
    if (!(crossbar->blocked >> destination & 1))
        crossbar->grant_edge = hd_earlier(crossbar->grant_edge, output->free_edge);
    const uint64_t contention = (uint64_t)__builtin_popcountll(output->requests);
    if (contention > crossbar->statistics[STATISTIC_CONTENTION_MAXIMUM])
        crossbar->statistics[STATISTIC_CONTENTION_MAXIMUM] = contention;
}

static void look_at_heads(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    crossbar->head_work = hd_work_none();
    for (uint64_t set = crossbar->inputs_bound & ~crossbar->heads; set; set &= set - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(set);
        const struct input *input = &crossbar->inputs[index];
        if (input->arrival <= t && input->free_edge <= n)
            look_at_head(crossbar, index, n, t);
        else
            expect_head(crossbar, input, n);
    }
}

static void count_grant(struct crossbar *crossbar, const struct input *input, const hd_packet *packet, uint64_t n)
{
    uint64_t *statistics = crossbar->statistics;
    statistics[STATISTIC_PACKETS]++;
    statistics[STATISTIC_FLITS] += input->flits;
    const uint64_t idle_from = crossbar->busy_end > n ? crossbar->busy_end : n;
    if (n + input->flits > idle_from) {
        statistics[STATISTIC_BUSY_CYCLES] += n + input->flits - idle_from;
        crossbar->busy_end = n + input->flits;
    }
    statistics[STATISTIC_QUEUEING_CYCLES] += n - hd_cursor_index_of(&crossbar->cursor, input->arrival);
    statistics[packet->traffic_class < HD_CLASS_COUNT ? STATISTIC_BYTES + packet->traffic_class
                                                      : STATISTIC_BYTES_OTHER] += packet->wire_bytes;
}

void crossbar_grant(struct crossbar *crossbar, uint32_t index, uint32_t winner, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct output *output = &crossbar->outputs[index];
    struct input *input = &crossbar->inputs[winner];
    hd_packet *packet = services->pop(services->context, input->link, t);
    count_grant(crossbar, input, packet, n);

    const uint32_t slot = (input->first_flight + input->flight_count) & (crossbar->ring_size - 1);
    input->flights[slot] = (struct flight){n + crossbar->latency + input->flits - 1, packet, index};
    input->flight_count++;
    output->flight_count++;
    crossbar->delivery_edge = hd_earlier(crossbar->delivery_edge, input->flights[slot].edge);
    crossbar->flying |= UINT64_C(1) << winner;
    output->requests &= ~(UINT64_C(1) << winner);
    if (!output->requests)
        crossbar->requested &= ~(UINT64_C(1) << index);

    crossbar->heads &= ~(UINT64_C(1) << winner);
    input->free_edge = n + input->flits;
    input->arrival = services->arrival(services->context, input->link);
    expect_head(crossbar, input, n);
}

uint32_t crossbar_has_credit(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct output *output = &crossbar->outputs[index];
    const uint32_t credits = services->credits(services->context, output->link, t);
    if (credits > output->flight_count) {
        if (output->blocked_since != UINT64_MAX)
            crossbar->statistics[STATISTIC_CREDIT_STALL_CYCLES] += n - output->blocked_since;
        output->blocked_since = UINT64_MAX;
        crossbar->blocked &= ~(UINT64_C(1) << index);
        return 1;
    }
    if (output->blocked_since == UINT64_MAX) {
        output->blocked_since = n;
        crossbar->statistics[STATISTIC_CREDIT_STALLS]++;
    }
    crossbar->blocked |= UINT64_C(1) << index;
    return 0;
}

/* A packet into an empty link comes between two calls. */
static void refresh_arrivals(struct crossbar *crossbar)
{
    const hd_services *services = crossbar->services;
    for (uint64_t set = crossbar->inputs_bound & ~crossbar->heads; set; set &= set - 1) {
        struct input *input = &crossbar->inputs[__builtin_ctzll(set)];
        if (input->arrival != HD_NEVER)
            continue;
        input->arrival = services->arrival(services->context, input->link);
        expect_head(crossbar, input, crossbar->cursor.n);
    }
}

/* When the next credit of an output that waits for one comes. */
static hd_time next_credit(const struct crossbar *crossbar)
{
    const hd_services *services = crossbar->services;
    hd_time first = HD_NEVER;
    for (uint64_t set = crossbar->blocked; set; set &= set - 1) {
        const struct output *output = &crossbar->outputs[__builtin_ctzll(set)];
        first = hd_earlier(first, services->credit_arrival(services->context, output->link));
    }
    return first;
}

static hd_work next_work(const struct crossbar *crossbar)
{
    hd_work work = crossbar->head_work;
    hd_work_at_edge(&work, crossbar->delivery_edge);
    hd_work_at_edge(&work, crossbar->grant_edge);
    return work;
}

hd_time crossbar_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    hd_cursor_catch_up(&crossbar->cursor, now);
    refresh_arrivals(crossbar);
    for (hd_time credit = next_credit(crossbar);;) {
        hd_work work = next_work(crossbar);
        hd_work_at_time(&work, credit);
        hd_cursor next = crossbar->cursor;
        if (!hd_work_seek(&work, &next))
            return HD_NEVER;
        if (next.t >= horizon)
            return next.t;
        crossbar->cursor = next;
        if (crossbar->delivery_edge <= next.n)
            deliver(crossbar, next.n, next.t);
        if (crossbar->head_work.edge <= next.n || crossbar->head_work.time <= next.t)
            look_at_heads(crossbar, next.n, next.t);
        const uint64_t asking = credit <= next.t ? crossbar->blocked : 0;
        if (asking || crossbar->grant_edge <= next.n) {
            crossbar->arbitrate(crossbar, next.n, next.t, crossbar->requested & (asking | ~crossbar->blocked));
            credit = next_credit(crossbar);
        }
        hd_cursor_next(&crossbar->cursor);
    }
}

hd_time crossbar_promise(hd_block *block, hd_time now)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    hd_cursor next = crossbar->cursor;
    hd_cursor_catch_up(&next, now);
    refresh_arrivals(crossbar);
    hd_work work = next_work(crossbar);
    hd_work_at_time(&work, next_credit(crossbar));
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}

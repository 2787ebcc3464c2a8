/* SPDX-License-Identifier: MIT */
#include "declaration.h"
#include "hd_link.h"
#include "state.h"
#include "traffic.h"

/* ---- What outputs see of the input ports */

void crossbar_request(struct crossbar *crossbar, uint32_t input, uint32_t index)
{
    struct output *output = &crossbar->outputs[index];
    set_add(&output->requests, input);
    set_add(&crossbar->requested, index);
    if (!set_has(&crossbar->blocked, index))
        crossbar->grant_edge = hd_earlier(crossbar->grant_edge, crossbar->ports[output->port].free_edge);
    const uint64_t contention = set_count(&output->requests, crossbar->element_words);
    if (contention > crossbar->statistics[STATISTIC_CONTENTION_MAXIMUM])
        crossbar->statistics[STATISTIC_CONTENTION_MAXIMUM] = contention;
}

static void withdraw(struct crossbar *crossbar, uint32_t input, uint32_t output)
{
    set *requests = &crossbar->outputs[output].requests;
    set_remove(requests, input);
    if (set_is_empty(requests, crossbar->element_words))
        set_remove(&crossbar->requested, output);
}

void crossbar_unhide(struct crossbar *crossbar, uint32_t input)
{
    set_remove(&crossbar->hidden, input);
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = crossbar->inputs[input].wanted.word[w]; bits;)
            crossbar_request(crossbar, input, 64 * w + set_take(&bits));
}

void crossbar_hide(struct crossbar *crossbar, uint32_t index)
{
    const struct input *input = &crossbar->inputs[index];
    if (!input->wanted_count)
        return;
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = input->wanted.word[w]; bits;)
            withdraw(crossbar, index, 64 * w + set_take(&bits));
    set_add(&crossbar->hidden, index);
    hd_work_at_edge(&crossbar->head_work, input->free_edge);
}

uint32_t crossbar_has_credit(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    struct output *output = &crossbar->outputs[index];
    if (crossbar_can_send(crossbar, output, t)) {
        if (output->blocked_since == UINT64_MAX)
            return 1;
        crossbar->statistics[STATISTIC_CREDIT_STALL_CYCLES] += n - output->blocked_since;
        output->blocked_since = UINT64_MAX;
        set_remove(&crossbar->blocked, index);
        crossbar->any_blocked--;
        return 1;
    }
    if (output->blocked_since == UINT64_MAX) {
        output->blocked_since = n;
        crossbar->statistics[STATISTIC_CREDIT_STALLS]++;
        set_add(&crossbar->blocked, index);
        crossbar->any_blocked++;
    }
    return 0;
}

/* ---- What leaves an input */

static inline struct element *element_of(struct crossbar *crossbar, uint32_t input, uint32_t queue, uint32_t *index)
{
    if (crossbar->inputs_per_port == 1) {
        *index = input;
        return &crossbar->elements[input];
    }
    const uint32_t place = crossbar->channels == 1 ? queue : queue / crossbar->channels;
    *index = crossbar->is_strided ? input + place * crossbar->stride : input * crossbar->inputs_per_port + place;
    return &crossbar->elements[*index];
}

struct entry *crossbar_entry(struct crossbar *crossbar, uint32_t input, uint32_t queue, uint32_t output)
{
    uint32_t index;
    struct element *element = element_of(crossbar, input, queue, &index);
    if (!element->buffers)
        return &element->head;
    return buffer_first(&element->buffers[queue % crossbar->channels], crossbar->virtual_output ? output : 0);
}

static void remove_demand(struct crossbar *crossbar, uint32_t input, uint32_t queue, uint32_t output)
{
    struct input *in = &crossbar->inputs[input];
    in->wants[output] &= ~(UINT64_C(1) << queue);
    if (in->wants[output])
        return;
    set_remove(&in->wanted, output);
    in->wanted_count--;
    withdraw(crossbar, input, output);
}

/* The outputs of a packet that has come to the head of its queue. */
static void add_demand_of_next(struct crossbar *crossbar, uint32_t input, uint32_t queue, const struct entry *entry,
                               uint64_t n)
{
    if (entry->outputs == 1) {
        crossbar_add_demand(crossbar, input, queue, entry->output, n);
        return;
    }
    set outputs = {{0}};
    routes_find_set(&crossbar->routes, entry->packet, &outputs);
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = outputs.word[w]; bits;)
            crossbar_add_demand(crossbar, input, queue, 64 * w + set_take(&bits), n);
}

/* The link's first packet has gone to all of its outputs. */
static hd_packet *take_from_link(struct crossbar *crossbar, uint32_t index, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct element *element = &crossbar->elements[index];
    hd_packet *packet = services->pop(services->context, element->link, t);
    element->arrival = hd_link_arrival(element->link);
    set_add(element->arrival == HD_NEVER ? &crossbar->empty : &crossbar->watched, index);
    return packet;
}

/* A buffer has more room now, or an order to keep is kept. */
static void try_again(struct crossbar *crossbar, uint32_t index, uint64_t n)
{
    if (!set_has(&crossbar->full, index))
        return;
    set_remove(&crossbar->full, index);
    set_add(&crossbar->watched, index);
    hd_work_at_edge(&crossbar->head_work, n + 1);
}

static hd_packet *take_from_buffer(struct crossbar *crossbar, struct element *element, uint32_t queue, uint32_t output,
                                   struct entry *entry, uint64_t n)
{
    struct buffer *buffer = &element->buffers[queue % crossbar->channels];
    hd_packet *packet = entry->packet;
    const uint32_t is_last = --entry->outputs == 0;
    if (crossbar->virtual_output) {
        if (buffer_advance(buffer, output))
            remove_demand(crossbar, element->port, queue, output);
    } else {
        remove_demand(crossbar, element->port, queue, output);
        if (is_last && !buffer_advance(buffer, 0))
            add_demand_of_next(crossbar, element->port, queue, buffer_first(buffer, 0), n);
    }
    if (is_last)
        buffer_remove(buffer, entry);
    if (element->order)
        element->order[output].packets--;
    return packet;
}

/* What of a packet for several endpoints goes to the output: a copy, or for the last one the packet itself. */
static hd_packet *part(struct crossbar *crossbar, const hd_packet *packet, hd_packet *taken, uint32_t output)
{
    const uint64_t share = routes_share(&crossbar->routes, packet, output);
    crossbar->statistics[STATISTIC_MULTICAST_COPIES]++;
    if (!taken) {
        crossbar->statistics[STATISTIC_MULTICAST_BYTES] += packet->wire_bytes;
        return routes_copy(&crossbar->routes, packet, share);
    }
    crossbar->statistics[STATISTIC_MULTICAST_PACKETS]++;
    routes_narrow(taken, share);
    return taken;
}

/* Takes what the queue has for the output. */
static hd_packet *leave(struct crossbar *crossbar, uint32_t index, uint32_t queue, uint32_t output, uint64_t n,
                        hd_time t)
{
    struct element *element = &crossbar->elements[index];
    const uint32_t input = element->port;
    if (!element->buffers) {
        remove_demand(crossbar, input, queue, output);
        if (--element->head.outputs)
            return part(crossbar, hd_link_peek(element->link, t), NULL, output);
        hd_packet *packet = take_from_link(crossbar, index, t);
        return packet->destination_set ? part(crossbar, packet, packet, output) : packet;
    }
    struct entry *entry = crossbar_entry(crossbar, input, queue, output);
    const uint32_t is_last = entry->outputs == 1;
    hd_packet *packet = take_from_buffer(crossbar, element, queue, output, entry, n);
    try_again(crossbar, index, n);
    return packet->destination_set ? part(crossbar, packet, is_last ? packet : NULL, output) : packet;
}

/* ---- Grants */

static void occupy_lane(struct crossbar *crossbar, struct input *input, uint64_t until)
{
    if (crossbar->speedup == 1) {
        input->free_edge = until;
        return;
    }
    uint32_t first = 0;
    for (uint32_t i = 1; i < crossbar->speedup; i++)
        if (input->lanes[i] < input->lanes[first])
            first = i;
    input->lanes[first] = until;
    input->free_edge = until;
    for (uint32_t i = 0; i < crossbar->speedup; i++)
        input->free_edge = hd_earlier(input->free_edge, input->lanes[i]);
}

static void trace_transfer(const struct crossbar *crossbar, uint32_t output, const hd_packet *packet, uint64_t end,
                           hd_time t)
{
    const uint32_t track = crossbar->output_tracks + output;
    if (crossbar->is_ideal) {
        hd_trace_instant(crossbar->trace, track, EVENT_PACKET, t, packet->source, packet->destination,
                         packet->wire_bytes);
        return;
    }
    hd_trace_begin(crossbar->trace, track, EVENT_PACKET, t, packet->source, packet->destination, packet->wire_bytes);
    hd_trace_end(crossbar->trace, track, EVENT_PACKET, hd_clock_edge(crossbar->services->clock, end));
}

/* One packet, or one copy, goes to one output. */
static void transfer(struct crossbar *crossbar, uint32_t index, uint32_t element, uint32_t queue, uint32_t flits,
                     uint64_t n, hd_time t)
{
    const uint32_t input = crossbar->elements[element].port;
    hd_packet *packet = leave(crossbar, element, queue, index, n, t);
    uint64_t *statistics = crossbar->statistics;
    statistics[STATISTIC_PACKETS]++;
    network_count_class(statistics + STATISTIC_CLASS_PACKETS, packet);
    if (crossbar->trace)
        trace_transfer(crossbar, index, packet, n + flits, t);
    crossbar_fly(crossbar, n + crossbar->latency + flits - 1, packet, index, input);
    if (!crossbar->is_ideal)
        crossbar->ports[crossbar->outputs[index].port].free_edge = n + flits;
}

/* Further outputs that are free take the same flits in passing. */
static void take_along(struct crossbar *crossbar, uint32_t element, uint32_t queue, const struct entry *entry,
                       uint32_t copies, uint64_t n, hd_time t)
{
    const uint32_t input = crossbar->elements[element].port;
    const struct input *in = &crossbar->inputs[input];
    const uint32_t flits = entry->flits;
    if (copies > crossbar->fanout - 1)
        copies = crossbar->fanout - 1;
    for (uint32_t w = 0; w < crossbar->output_words && copies; w++)
        for (uint64_t bits = in->wanted.word[w]; bits && copies;) {
            const uint32_t index = 64 * w + set_take(&bits);
            if (!(in->wants[index] >> queue & 1) || crossbar_entry(crossbar, input, queue, index) != entry ||
                crossbar->ports[crossbar->outputs[index].port].free_edge > n ||
                !crossbar_has_credit(crossbar, index, n, t))
                continue;
            transfer(crossbar, index, element, queue, flits, n, t);
            crossbar->statistics[STATISTIC_SHARED_COPIES]++;
            copies--;
        }
}

void crossbar_grant(struct crossbar *crossbar, uint32_t output, uint32_t input, uint32_t queue, uint64_t n, hd_time t)
{
    struct input *in = &crossbar->inputs[input];
    uint32_t index;
    const struct element *element = element_of(crossbar, input, queue, &index);
    const struct entry *entry = element->buffers ? crossbar_entry(crossbar, input, queue, output) : &element->head;
    const uint32_t setup = __builtin_expect(entry->has_path, 0) ? crossbar_set_path(crossbar, input, output) : 0;
    const uint32_t flits = entry->flits + setup;
    const uint32_t others = entry->outputs - 1u;
    crossbar_count_pass(crossbar, entry->arrival, entry->flits, n);
    occupy_lane(crossbar, in, n + flits);
    transfer(crossbar, output, index, queue, flits, n, t);
    if (others && crossbar->fanout > 1)
        take_along(crossbar, index, queue, entry, others, n, t);
    if (in->free_edge > n)
        crossbar_hide(crossbar, input);
    if (element->buffers || !set_has(&crossbar->watched, index))
        return;
    if (in->free_edge <= n && element->arrival <= t)
        crossbar_update_head(crossbar, index, n, t);
    else
        crossbar_expect(crossbar, index, n);
}

void crossbar_deliver(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    do {
        const struct flight *flight = &crossbar->flights[crossbar->first_flight & crossbar->flight_mask];
        if (flight->edge > n)
            break;
        struct output *output = &crossbar->outputs[flight->output];
        services->send(services->context, output->link, flight->packet, t);
        output->flight_count--;
        crossbar->first_flight++;
    } while (--crossbar->flight_count);
}

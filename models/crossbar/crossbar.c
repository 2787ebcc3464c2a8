/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static hd_block *out_of_memory(char *error, size_t error_bytes)
{
    snprintf(error, error_bytes, "out of memory");
    return NULL;
}

/* Parameters that a type does not have stand at 1. */
static uint32_t value_of(const hd_value *values, uint32_t count, uint32_t parameter)
{
    return parameter < count ? (uint32_t)values[parameter].u : 1;
}

hd_block *crossbar_create(const hd_services *services, const hd_value *values, uint32_t count,
                          crossbar_arbiter *arbitrate, char *error, size_t error_bytes)
{
    struct crossbar *crossbar = calloc(1, sizeof *crossbar);
    if (!crossbar)
        return out_of_memory(error, error_bytes);
    crossbar->services = services;
    crossbar->trace = services->extension(services->context, HD_EXTENSION_TRACE);
    crossbar->output_tracks = hd_trace_tracks(crossbar->trace, HD_TRACE_BLOCK, "output", CROSSBAR_ELEMENTS);
    crossbar->flit_bytes = value_of(values, count, PARAMETER_FLIT_BYTES);
    crossbar->flit_shift =
        crossbar->flit_bytes & (crossbar->flit_bytes - 1) ? 0 : (uint32_t)__builtin_ctz(crossbar->flit_bytes);
    crossbar->latency = value_of(values, count, PARAMETER_LATENCY);
    crossbar->virtual_output = value_of(values, count, PARAMETER_QUEUES) == QUEUES_VIRTUAL_OUTPUT;
    crossbar->queue_depth = value_of(values, count, PARAMETER_QUEUE_DEPTH);
    crossbar->channels = value_of(values, count, PARAMETER_CHANNELS);
    crossbar->channel_by = value_of(values, count, PARAMETER_CHANNEL_BY);
    crossbar->inputs_per_port = value_of(values, count, PARAMETER_INPUTS_PER_PORT);
    crossbar->is_strided = value_of(values, count, PARAMETER_PORT_SHARING) == SHARING_STRIDE;
    crossbar->fanout = value_of(values, count, PARAMETER_MULTICAST_FANOUT);
    crossbar->path_bytes = value_of(values, count, PARAMETER_CONTEXT_PATH);
    crossbar->path_setup = value_of(values, count, PARAMETER_CONTEXT_SETUP);
    crossbar->outputs_per_port = value_of(values, count, PARAMETER_OUTPUTS_PER_PORT);
    crossbar->speedup = value_of(values, count, PARAMETER_INPUT_SPEEDUP);
    crossbar->iterations = value_of(values, count, PARAMETER_ITERATIONS);
    crossbar->takes_turns = crossbar->virtual_output || crossbar->channels > 1 || crossbar->inputs_per_port > 1;
    crossbar->is_ideal = arbitrate == crossbar_ideal;
    crossbar->of_type = arbitrate;
    routes_create(&crossbar->routes, services);
    return (hd_block *)crossbar;
}

uint32_t crossbar_lists(const struct crossbar *crossbar)
{
    return crossbar->virtual_output ? CROSSBAR_ELEMENTS : 1;
}

/* Grants of one lane are at least as far apart as packets are long: latency + 1 are in flight at most, of each copy. */
static void make_flights(struct crossbar *crossbar)
{
    const uint32_t each = (crossbar->latency + 1) * crossbar->speedup * crossbar->fanout;
    uint32_t size = 1;
    while (size < each * crossbar->element_count)
        size *= 2;
    crossbar->flights = realloc(crossbar->flights, size * sizeof *crossbar->flights);
    crossbar->flight_mask = size - 1;
}

static void connect_input(struct crossbar *crossbar, uint32_t index, hd_link *link)
{
    struct element *element = &crossbar->elements[index];
    element->link = link;
    if (crossbar->element_count <= index) {
        crossbar->element_count = index + 1;
        make_flights(crossbar);
    }
    if (!crossbar_has_buffers(crossbar))
        return;
    element->buffers = calloc(crossbar->channels, sizeof *element->buffers);
    for (uint32_t c = 0; c < crossbar->channels; c++)
        buffer_create(&element->buffers[c], crossbar->queue_depth, crossbar_lists(crossbar));
    if (crossbar->channel_by == CHANNEL_BY_CLASS && crossbar->channels > 1)
        element->order = calloc(CROSSBAR_ELEMENTS, sizeof *element->order);
}

void crossbar_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    if (port == PORT_INPUT) {
        connect_input(crossbar, element, in);
        return;
    }
    crossbar->outputs[element].link = out;
    if (crossbar->output_count <= element)
        crossbar->output_count = element + 1;
}

/* ---- Reset and end */

static void drop_buffers(struct crossbar *crossbar, struct element *element)
{
    const hd_services *services = crossbar->services;
    for (uint32_t c = 0; element->buffers && c < crossbar->channels; c++)
        for (uint32_t i = 0; i < crossbar->queue_depth; i++)
            if (element->buffers[c].entries[i].packet)
                services->free(services->context, element->buffers[c].entries[i].packet);
}

static void drop_packets(struct crossbar *crossbar)
{
    const hd_services *services = crossbar->services;
    for (; crossbar->flight_count; crossbar->flight_count--)
        services->free(services->context, crossbar->flights[crossbar->first_flight++ & crossbar->flight_mask].packet);
    for (uint32_t i = 0; i < crossbar->element_count; i++)
        drop_buffers(crossbar, &crossbar->elements[i]);
}

static uint32_t ports_of(uint32_t elements, uint32_t per_port)
{
    return (elements + per_port - 1) / per_port;
}

/* Which port an element shares: with its neighbours, or with every stride-th. */
static void share_ports(struct crossbar *crossbar)
{
    const uint32_t stride = ports_of(crossbar->element_count, crossbar->inputs_per_port);
    const uint32_t output_stride = ports_of(crossbar->output_count, crossbar->outputs_per_port);
    crossbar->stride = stride;
    crossbar->output_stride = output_stride;
    for (uint32_t i = 0; i < crossbar->element_count; i++) {
        const uint32_t place = crossbar->is_strided ? i / stride : i % crossbar->inputs_per_port;
        crossbar->elements[i].port = crossbar->is_strided ? i % stride : i / crossbar->inputs_per_port;
        crossbar->elements[i].queue = place * crossbar->channels;
    }
    for (uint32_t i = 0; i < crossbar->output_count; i++)
        crossbar->outputs[i].port = crossbar->is_strided ? i % output_stride : i / crossbar->outputs_per_port;
}

static void reset_input(struct crossbar *crossbar, uint32_t index)
{
    struct element *element = &crossbar->elements[index];
    struct input *input = &crossbar->inputs[index];
    element->arrival = HD_NEVER;
    element->head = (struct entry){0};
    if (element->link)
        set_add(&crossbar->empty, index);
    if (element->order)
        memset(element->order, 0, CROSSBAR_ELEMENTS * sizeof *element->order);
    for (uint32_t c = 0; element->buffers && c < crossbar->channels; c++)
        buffer_reset(&element->buffers[c], crossbar->queue_depth, crossbar_lists(crossbar));
    free(input->wants);
    *input = (struct input){.wants = calloc(crossbar->output_count + 1, sizeof *input->wants)};
}

void crossbar_reset(hd_block *block)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    drop_packets(crossbar);
    crossbar->watched = crossbar->empty = crossbar->full = (set){{0}};
    crossbar->hidden = crossbar->requested = crossbar->blocked = (set){{0}};
    crossbar->any_blocked = crossbar->asking = crossbar->first_output = 0;
    crossbar->element_words = ports_of(crossbar->element_count, 64);
    crossbar->output_words = ports_of(crossbar->output_count, 64);
    crossbar->busy_end = 0;
    crossbar->grant_edge = UINT64_MAX;
    crossbar->head_work = hd_work_none();
    crossbar->first_flight = 0;
    share_ports(crossbar);
    crossbar->is_plain = crossbar->of_type == crossbar_round_robin && crossbar_can_be_plain(crossbar);
    crossbar->arbitrate = crossbar->is_plain ? crossbar_plain_round_robin : crossbar->of_type;
    for (uint32_t i = 0; i < crossbar->element_count; i++)
        reset_input(crossbar, i);
    for (uint32_t i = 0; i < crossbar->output_count; i++) {
        struct output *output = &crossbar->outputs[i];
        *output = (struct output){.link = output->link, .port = output->port, .blocked_since = UINT64_MAX};
        crossbar->ports[i] = (struct output_port){0, 0};
    }
    routes_reset(&crossbar->routes);
    memset(crossbar->statistics, 0, sizeof crossbar->statistics);
    hd_cursor_init(&crossbar->cursor, crossbar->services->clock);
}

void crossbar_destroy(hd_block *block)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    if (!crossbar)
        return;
    drop_packets(crossbar);
    for (uint32_t i = 0; i < crossbar->element_count; i++) {
        struct element *element = &crossbar->elements[i];
        for (uint32_t c = 0; element->buffers && c < crossbar->channels; c++)
            buffer_destroy(&element->buffers[c]);
        free(element->buffers);
        free(element->order);
        free(crossbar->inputs[i].wants);
    }
    free(crossbar->flights);
    free(crossbar);
}

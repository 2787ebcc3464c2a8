/* SPDX-License-Identifier: MIT */
/* The crossbar as it is between two calls (hd_state.h). Routes are found anew. */
#include <stdlib.h>

#include "state.h"

static void transfer_entry(struct entry *entry, const hd_state_stream *stream)
{
    struct entry value = *entry;
    hd_packet *packet = entry->packet;
    value.packet = NULL;
    HD_STATE_VALUE(stream, value);
    hd_state_packet(stream, &packet);
    *entry = value;
    entry->packet = packet;
}

static void transfer_buffer(const struct crossbar *crossbar, struct buffer *buffer, const hd_state_stream *stream)
{
    const uint32_t depth = crossbar->queue_depth;
    for (uint32_t i = 0; i < depth; i++)
        transfer_entry(&buffer->entries[i], stream);
    HD_STATE_ARRAY(stream, buffer->nodes, buffer_nodes(depth));
    HD_STATE_ARRAY(stream, buffer->lists, crossbar_lists(crossbar));
    HD_STATE_ARRAY(stream, buffer->free_entries, depth);
    HD_STATE_ARRAY(stream, buffer->free_nodes, buffer_nodes(depth));
    HD_STATE_VALUE(stream, buffer->free_entry_count);
    HD_STATE_VALUE(stream, buffer->free_node_count);
}

static void transfer_element(const struct crossbar *crossbar, struct element *element, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, element->arrival);
    transfer_entry(&element->head, stream);
    for (uint32_t c = 0; element->buffers && c < crossbar->channels; c++)
        transfer_buffer(crossbar, &element->buffers[c], stream);
    if (element->order)
        HD_STATE_ARRAY(stream, element->order, CROSSBAR_ELEMENTS);
}

static void transfer_input(const struct crossbar *crossbar, struct input *input, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, input->free_edge);
    HD_STATE_VALUE(stream, input->lanes);
    HD_STATE_ARRAY(stream, input->wants, crossbar->output_count);
    HD_STATE_VALUE(stream, input->wanted);
    HD_STATE_VALUE(stream, input->wanted_count);
    HD_STATE_VALUE(stream, input->grants);
    HD_STATE_VALUE(stream, input->turn);
    HD_STATE_VALUE(stream, input->accept);
    HD_STATE_VALUE(stream, input->path);
}

static void transfer_output(struct output *output, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, output->blocked_since);
    HD_STATE_VALUE(stream, output->requests);
    HD_STATE_VALUE(stream, output->next_input);
    HD_STATE_VALUE(stream, output->flight_count);
    HD_STATE_VALUE(stream, output->path);
}

/* The crossbar may have had a longer latency: what has been granted since then is under way with what will be. */
static void transfer_flights(struct crossbar *crossbar, const hd_state_stream *stream)
{
    const uint32_t mask = (uint32_t)hd_state_number(stream, crossbar->flight_mask);
    if (mask > crossbar->flight_mask) {
        free(crossbar->flights);
        crossbar->flight_mask = mask;
        crossbar->flights = calloc((size_t)mask + 1, sizeof *crossbar->flights);
        if (!crossbar->flights)
            abort();
    }
    HD_STATE_VALUE(stream, crossbar->flight_count);
    for (uint32_t i = 0; i < crossbar->flight_count; i++) {
        struct flight *flight = &crossbar->flights[(crossbar->first_flight + i) & crossbar->flight_mask];
        HD_STATE_VALUE(stream, flight->edge);
        hd_state_packet(stream, &flight->packet);
        HD_STATE_VALUE(stream, flight->output);
        HD_STATE_VALUE(stream, flight->input);
    }
}

static void transfer_choices(struct crossbar *crossbar, const hd_state_stream *stream)
{
    set *const sets[] = {&crossbar->watched, &crossbar->empty,     &crossbar->full,
                         &crossbar->hidden,  &crossbar->requested, &crossbar->blocked};
    for (uint32_t i = 0; i < sizeof sets / sizeof *sets; i++)
        HD_STATE_VALUE(stream, *sets[i]);
    HD_STATE_VALUE(stream, crossbar->any_blocked);
    HD_STATE_VALUE(stream, crossbar->asking);
    HD_STATE_VALUE(stream, crossbar->first_output);
    HD_STATE_VALUE(stream, crossbar->grant_edge);
    HD_STATE_VALUE(stream, crossbar->head_work);
    HD_STATE_VALUE(stream, crossbar->busy_end);
    HD_STATE_VALUE(stream, crossbar->cursor);
}

static void transfer_shape(const struct crossbar *crossbar, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "inputs", crossbar->element_count);
    HD_STATE_SHAPE(stream, "outputs", crossbar->output_count);
    HD_STATE_SHAPE(stream, "channels", crossbar->channels);
    HD_STATE_SHAPE(stream, "channels by class", crossbar->channel_by == CHANNEL_BY_CLASS);
    HD_STATE_SHAPE(stream, "packets of a queue", crossbar_has_buffers(crossbar) ? crossbar->queue_depth : 0);
    HD_STATE_SHAPE(stream, "queues of an input", crossbar_lists(crossbar));
    HD_STATE_SHAPE(stream, "inputs of a port", crossbar->inputs_per_port);
    HD_STATE_SHAPE(stream, "outputs of a port", crossbar->outputs_per_port);
    HD_STATE_SHAPE(stream, "lanes of an input", crossbar->speedup);
    HD_STATE_SHAPE(stream, "ports shared by stride", crossbar->is_strided);
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    transfer_shape(crossbar, stream);
    transfer_choices(crossbar, stream);
    transfer_flights(crossbar, stream);
    for (uint32_t i = 0; i < crossbar->element_count; i++) {
        transfer_element(crossbar, &crossbar->elements[i], stream);
        transfer_input(crossbar, &crossbar->inputs[i], stream);
    }
    for (uint32_t i = 0; i < crossbar->output_count; i++) {
        transfer_output(&crossbar->outputs[i], stream);
        HD_STATE_VALUE(stream, crossbar->ports[i]);
    }
    HD_STATE_VALUE(stream, crossbar->statistics);
}

const hd_state crossbar_state = {.transfer = transfer};

/* SPDX-License-Identifier: MIT */
/* The mesh as it is between two calls (hd_state.h). Routes are found anew. */
#include "mesh.h"

static void transfer_shape(const struct mesh *mesh, const hd_state_stream *stream)
{
    HD_STATE_SHAPE(stream, "columns", mesh->columns);
    HD_STATE_SHAPE(stream, "rows", mesh->rows);
    HD_STATE_SHAPE(stream, "channels", mesh->channels);
    HD_STATE_SHAPE(stream, "channels by class", mesh->channel_by == CHANNEL_BY_CLASS);
    HD_STATE_SHAPE(stream, "flits of a buffer", mesh->buffer_flits);
    HD_STATE_SHAPE(stream, "inputs", mesh->input_count);
    HD_STATE_SHAPE(stream, "outputs", mesh->output_count);
    for (uint32_t i = 0; i < mesh->input_count; i++)
        HD_STATE_SHAPE(stream, "node of an input", mesh->inputs[i].node);
    for (uint32_t i = 0; i < mesh->output_count; i++)
        HD_STATE_SHAPE(stream, "node of an output", mesh->outputs[i].node);
}

static void transfer_travellers(struct mesh *mesh, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < mesh->traveller_count; i++) {
        struct traveller *traveller = &mesh->travellers[i];
        hd_state_packet(stream, &traveller->packet);
        HD_STATE_VALUE(stream, traveller->injected);
        HD_STATE_VALUE(stream, traveller->flits);
        HD_STATE_VALUE(stream, traveller->element);
        HD_STATE_VALUE(stream, traveller->source);
    }
    HD_STATE_ARRAY(stream, mesh->free_travellers, mesh->traveller_count);
    HD_STATE_VALUE(stream, mesh->free_count);
}

static void transfer_routers(struct mesh *mesh, const hd_state_stream *stream)
{
    const uint32_t channels = mesh->nodes * SIDES * mesh->channels;
    HD_STATE_ARRAY(stream, mesh->routers, mesh->nodes);
    HD_STATE_ARRAY(stream, mesh->channels_in, channels);
    HD_STATE_ARRAY(stream, mesh->channels_out, channels);
    HD_STATE_ARRAY(stream, mesh->flits, (size_t)channels * mesh->buffer_flits);
    HD_STATE_ARRAY(stream, mesh->injections, (size_t)mesh->nodes * mesh->channels);
    HD_STATE_ARRAY(stream, mesh->next_injection, mesh->nodes);
    HD_STATE_ARRAY(stream, mesh->credits, (size_t)mesh->credit_mask + 1);
    HD_STATE_VALUE(stream, mesh->first_credit);
    HD_STATE_VALUE(stream, mesh->credit_count);
}

static void transfer_elements(struct mesh *mesh, const hd_state_stream *stream)
{
    for (uint32_t i = 0; i < mesh->input_count; i++) {
        struct mesh_input *input = &mesh->inputs[i];
        HD_STATE_VALUE(stream, input->arrival);
        HD_STATE_VALUE(stream, input->channel);
        HD_STATE_VALUE(stream, input->is_known);
        HD_STATE_VALUE(stream, input->outputs);
        HD_STATE_VALUE(stream, input->remaining);
        if (input->order)
            HD_STATE_ARRAY(stream, input->order, MESH_ELEMENTS);
    }
    for (uint32_t i = 0; i < mesh->output_count; i++) {
        HD_STATE_VALUE(stream, mesh->outputs[i].reserved);
        HD_STATE_VALUE(stream, mesh->outputs[i].blocked_since);
    }
}

static void transfer(hd_block *block, const hd_state_stream *stream)
{
    struct mesh *mesh = (struct mesh *)block;
    transfer_shape(mesh, stream);
    HD_STATE_VALUE(stream, mesh->empty);
    HD_STATE_VALUE(stream, mesh->watched);
    HD_STATE_VALUE(stream, mesh->blocked);
    HD_STATE_VALUE(stream, mesh->any_blocked);
    HD_STATE_VALUE(stream, mesh->active);
    HD_STATE_VALUE(stream, mesh->sending);
    HD_STATE_VALUE(stream, mesh->next_input);
    HD_STATE_VALUE(stream, mesh->flit_edge);
    HD_STATE_VALUE(stream, mesh->head_work);
    HD_STATE_VALUE(stream, mesh->cursor);
    transfer_travellers(mesh, stream);
    transfer_routers(mesh, stream);
    transfer_elements(mesh, stream);
    HD_STATE_VALUE(stream, mesh->statistics);
}

const hd_state mesh_state = {.transfer = transfer};

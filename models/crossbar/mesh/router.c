/* SPDX-License-Identifier: MIT */
#include "declaration.h"
#include "hd_link.h"
#include "mesh.h"
#include "traffic.h"

/* First along the row, then along the column: no cycle of channels that wait for each other. */
static uint32_t side_towards(const struct mesh *mesh, uint32_t at, uint32_t to)
{
    const uint32_t x = at % mesh->columns, y = at / mesh->columns;
    const uint32_t to_x = to % mesh->columns, to_y = to / mesh->columns;
    if (to_x != x)
        return to_x > x ? SIDE_EAST : SIDE_WEST;
    if (to_y != y)
        return to_y > y ? SIDE_SOUTH : SIDE_NORTH;
    return SIDE_LOCAL;
}

static uint32_t neighbour(const struct mesh *mesh, uint32_t at, uint32_t side)
{
    switch (side) {
    case SIDE_EAST: return at + 1;
    case SIDE_WEST: return at - 1;
    case SIDE_NORTH: return at - mesh->columns;
    default: return at + mesh->columns;
    }
}

static struct flit *front(const struct mesh *mesh, uint32_t channel)
{
    return &mesh->flits[channel * mesh->buffer_flits + mesh->channels_in[channel].first];
}

void mesh_push(struct mesh *mesh, uint32_t router, uint32_t side, uint32_t channel, struct flit flit)
{
    const uint32_t index = mesh_channel(mesh, router, side, channel);
    struct channel_in *in = &mesh->channels_in[index];
    const uint32_t slot = (in->first + in->count++) % mesh->buffer_flits;
    mesh->flits[index * mesh->buffer_flits + slot] = flit;
    mesh->routers[router].flits++;
    set_add(&mesh->active, router);
    mesh->flit_edge = hd_earlier(mesh->flit_edge, flit.ready);
}

void mesh_return_credits(struct mesh *mesh, uint64_t n)
{
    while (mesh->credit_count) {
        const struct mesh_credit *credit = &mesh->credits[mesh->first_credit & mesh->credit_mask];
        if (credit->edge > n)
            return;
        mesh->channels_out[credit->channel].credits++;
        mesh->first_credit++;
        mesh->credit_count--;
    }
}

/* The router before the buffer may use the place again. */
static void send_credit(struct mesh *mesh, uint32_t router, uint32_t side, uint32_t channel, uint64_t n)
{
    if (side == SIDE_LOCAL) /* the node sees its router's buffer */
        return;
    const uint32_t before = neighbour(mesh, router, side);
    mesh->credits[(mesh->first_credit + mesh->credit_count++) & mesh->credit_mask] =
        (struct mesh_credit){n + mesh->link_latency, mesh_channel(mesh, before, side ^ 1, channel)};
}

/* ---- Leaving the mesh */

static uint32_t has_link_credit(struct mesh *mesh, uint32_t element, uint64_t n, hd_time t)
{
    struct mesh_output *output = &mesh->outputs[element];
    const uint32_t has_one = hd_link_has_credits_beyond(mesh->services, output->link, t, output->reserved);
    if (has_one == (output->blocked_since == UINT64_MAX))
        return has_one;
    if (has_one) {
        mesh->statistics[STATISTIC_CREDIT_STALL_CYCLES] += n - output->blocked_since;
        output->blocked_since = UINT64_MAX;
        set_remove(&mesh->blocked, element);
        mesh->any_blocked--;
    } else {
        mesh->statistics[STATISTIC_CREDIT_STALLS]++;
        output->blocked_since = n;
        set_add(&mesh->blocked, element);
        mesh->any_blocked++;
    }
    return has_one;
}

static void deliver(struct mesh *mesh, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = mesh->services;
    struct traveller *traveller = &mesh->travellers[index];
    struct mesh_output *output = &mesh->outputs[traveller->element];
    hd_packet *packet = traveller->packet;
    uint64_t *statistics = mesh->statistics;
    statistics[STATISTIC_PACKETS]++;
    statistics[STATISTIC_TRAVERSAL_CYCLES] += n - traveller->injected;
    network_count_class(statistics + STATISTIC_CLASS_PACKETS, packet);
    if (mesh->inputs[traveller->source].order)
        mesh->inputs[traveller->source].order[traveller->element].packets--;
    hd_trace_instant(mesh->trace, mesh->output_tracks + traveller->element, EVENT_PACKET, t, packet->source,
                     packet->destination, packet->wire_bytes);
    services->send(services->context, output->link, packet, t);
    output->reserved--;
    traveller->packet = NULL;
    mesh->free_travellers[mesh->free_count++] = index;
}

/* ---- Moving */

/* Can the flit at the front leave by its packet's side now? */
static uint32_t can_leave(struct mesh *mesh, uint32_t router, uint32_t channel, uint32_t index, uint64_t n, hd_time t)
{
    struct channel_in *in = &mesh->channels_in[index];
    const struct flit *flit = front(mesh, index);
    if (flit->ready > n) {
        mesh->flit_edge = hd_earlier(mesh->flit_edge, flit->ready);
        return 0;
    }
    const struct traveller *traveller = &mesh->travellers[flit->traveller];
    if (!in->is_open)
        in->side = (uint8_t)side_towards(mesh, router, mesh->outputs[traveller->element].node);
    const struct channel_out *out = &mesh->channels_out[mesh_channel(mesh, router, in->side, channel)];
    if (in->is_open)
        return in->side == SIDE_LOCAL || out->credits;
    if (out->owner != SIDE_NONE)
        return 0;
    return in->side == SIDE_LOCAL ? has_link_credit(mesh, traveller->element, n, t) : out->credits;
}

/* The channel of an input side whose turn it is among those that can leave; UINT32_MAX. */
static uint32_t choose_channel(struct mesh *mesh, uint32_t router, uint32_t side, uint64_t n, hd_time t)
{
    for (uint32_t i = 0; i < mesh->channels; i++) {
        const uint32_t channel = (mesh->routers[router].next_channel[side] + i) % mesh->channels;
        const uint32_t index = mesh_channel(mesh, router, side, channel);
        if (mesh->channels_in[index].count && can_leave(mesh, router, channel, index, n, t))
            return channel;
    }
    return UINT32_MAX;
}

static void open_channel(struct mesh *mesh, uint32_t router, uint32_t side, uint32_t channel, uint32_t index)
{
    struct channel_in *in = &mesh->channels_in[index];
    in->is_open = 1;
    mesh->channels_out[mesh_channel(mesh, router, in->side, channel)].owner = (uint8_t)side;
    if (in->side == SIDE_LOCAL)
        mesh->outputs[mesh->travellers[front(mesh, index)->traveller].element].reserved++;
}

static void move_flit(struct mesh *mesh, uint32_t router, uint32_t side, uint32_t channel, uint64_t n, hd_time t)
{
    const uint32_t index = mesh_channel(mesh, router, side, channel);
    struct channel_in *in = &mesh->channels_in[index];
    struct flit flit = *front(mesh, index);
    if (!in->is_open)
        open_channel(mesh, router, side, channel, index);
    in->first = (uint16_t)((in->first + 1) % mesh->buffer_flits);
    in->count--;
    if (--mesh->routers[router].flits == 0)
        set_remove(&mesh->active, router);
    struct channel_out *out = &mesh->channels_out[mesh_channel(mesh, router, in->side, channel)];
    if (flit.is_last) {
        in->is_open = 0;
        out->owner = SIDE_NONE;
    }
    send_credit(mesh, router, side, channel, n);
    if (in->side == SIDE_LOCAL) {
        if (flit.is_last)
            deliver(mesh, flit.traveller, n, t);
        return;
    }
    out->credits--;
    mesh->statistics[STATISTIC_FLIT_HOPS]++;
    flit.ready = n + mesh->link_latency + mesh->router_latency;
    mesh_push(mesh, neighbour(mesh, router, in->side), in->side ^ 1u, channel, flit);
}

/* Each input side proposes one channel, each output side takes one proposal. */
static uint32_t move_router(struct mesh *mesh, uint32_t index, uint64_t n, hd_time t)
{
    struct router *router = &mesh->routers[index];
    uint32_t channels[SIDES], wanted_by[SIDES] = {0}, moved = 0;
    for (uint32_t side = 0; side < SIDES; side++) {
        channels[side] = choose_channel(mesh, index, side, n, t);
        if (channels[side] != UINT32_MAX)
            wanted_by[mesh->channels_in[mesh_channel(mesh, index, side, channels[side])].side] |= 1u << side;
    }
    for (uint32_t out = 0; out < SIDES; out++) {
        if (!wanted_by[out])
            continue;
        const uint32_t side = set_turn_of_word(wanted_by[out], router->next_side[out]);
        router->next_side[out] = (uint8_t)(side + 1);
        router->next_channel[side] = (uint8_t)((channels[side] + 1) % mesh->channels);
        move_flit(mesh, index, side, channels[side], n, t);
        moved = 1;
    }
    return moved;
}

uint32_t mesh_move(struct mesh *mesh, uint64_t n, hd_time t)
{
    uint32_t moved = 0;
    mesh->flit_edge = UINT64_MAX;
    for (uint32_t w = 0; w < SET_WORDS; w++)
        for (uint64_t bits = mesh->active.word[w]; bits;)
            moved |= move_router(mesh, 64 * w + set_take(&bits), n, t);
    return moved;
}

/* SPDX-License-Identifier: MIT */
#include "hd_link.h"
#include "mesh.h"

void mesh_refresh(struct mesh *mesh)
{
    const hd_services *services = mesh->services;
    uint32_t port, index;
    while (services->filled(services->context, &port, &index)) {
        struct mesh_input *input = &mesh->inputs[index];
        if (!set_has(&mesh->empty, index))
            continue;
        input->arrival = hd_link_arrival(input->link);
        if (input->arrival == HD_NEVER)
            continue;
        set_remove(&mesh->empty, index);
        set_add(&mesh->watched, index);
        hd_work_at_time(&mesh->head_work, input->arrival);
    }
}

static hd_packet *take(struct mesh *mesh, uint32_t index, hd_time t)
{
    const hd_services *services = mesh->services;
    struct mesh_input *input = &mesh->inputs[index];
    hd_packet *packet = services->pop(services->context, input->link, t);
    input->is_known = 0;
    input->arrival = hd_link_arrival(input->link);
    if (input->arrival == HD_NEVER) {
        set_remove(&mesh->watched, index);
        set_add(&mesh->empty, index);
    }
    return packet;
}

/* Finds out where the first packet of an input goes. Returns 0 if it cannot go anywhere. */
static uint32_t find_route(struct mesh *mesh, uint32_t index, hd_time t)
{
    const hd_services *services = mesh->services;
    struct mesh_input *input = &mesh->inputs[index];
    const hd_packet *packet = hd_link_peek(input->link, t);
    input->remaining = (set){{0}};
    uint32_t count = 1;
    if (packet->destination_set) {
        count = routes_find_set(&mesh->routes, packet, &input->remaining);
    } else {
        const uint32_t element = routes_find(&mesh->routes, packet->destination, packet->unit);
        if (element == ROUTE_NONE)
            count = ROUTE_NONE;
        else
            set_add(&input->remaining, element);
    }
    if (count == ROUTE_NONE) {
        hd_packet *refused = take(mesh, index, t);
        routes_refuse(&mesh->routes, refused, t);
        services->free(services->context, refused);
        return 0;
    }
    input->outputs = count;
    input->channel = (mesh->channel_by == CHANNEL_BY_CLASS ? packet->traffic_class : packet->unit) % mesh->channels;
    input->is_known = 1;
    return 1;
}

/* The packet for one output: a copy, or for the last one the packet itself. */
static hd_packet *part(struct mesh *mesh, uint32_t index, uint32_t element, hd_time t)
{
    struct mesh_input *input = &mesh->inputs[index];
    const hd_packet *first = hd_link_peek(input->link, t);
    const uint64_t share = first->destination_set ? routes_share(&mesh->routes, first, element) : 0;
    mesh->statistics[STATISTIC_MULTICAST_COPIES] += share != 0;
    if (--input->outputs) {
        set_remove(&input->remaining, element);
        mesh->statistics[STATISTIC_MULTICAST_BYTES] += first->wire_bytes;
        return routes_copy(&mesh->routes, first, share);
    }
    mesh->statistics[STATISTIC_MULTICAST_PACKETS] += share != 0;
    hd_packet *packet = take(mesh, index, t);
    if (share)
        routes_narrow(packet, share);
    return packet;
}

static void begin(struct mesh *mesh, uint32_t index, uint32_t element, struct injection *injection, uint64_t n,
                  hd_time t)
{
    struct mesh_input *input = &mesh->inputs[index];
    const uint64_t arrived = hd_cursor_index_of(&mesh->cursor, input->arrival);
    if (input->order) {
        input->order[element].channel = (uint16_t)input->channel;
        input->order[element].packets++;
    }
    hd_packet *packet = part(mesh, index, element, t);
    const uint32_t flits = (packet->wire_bytes + mesh->flit_bytes - 1) / mesh->flit_bytes;
    injection->traveller = mesh->free_travellers[--mesh->free_count];
    injection->left = flits ? flits : 1;
    mesh->travellers[injection->traveller] =
        (struct traveller){packet, n, injection->left, (uint16_t)element, (uint16_t)index};
    mesh->statistics[STATISTIC_QUEUEING_CYCLES] += n - arrived;
    mesh->statistics[STATISTIC_FLITS] += injection->left;
}

/* Begins to inject the first packet of an input, if its node has nothing else in that channel. */
static void try_to_begin(struct mesh *mesh, uint32_t index, uint64_t n, hd_time t)
{
    struct mesh_input *input = &mesh->inputs[index];
    if (!input->is_known && !find_route(mesh, index, t))
        return;
    struct injection *injection = &mesh->injections[input->node * mesh->channels + input->channel];
    if (injection->left)
        return;
    const uint32_t element = set_turn(&input->remaining, SET_WORDS, 0);
    if (input->order && input->order[element].packets && input->order[element].channel != input->channel)
        return;
    begin(mesh, index, element, injection, n, t);
    set_add(&mesh->sending, input->node);
}

static void begin_word(struct mesh *mesh, uint32_t w, uint64_t among, uint64_t n, hd_time t)
{
    for (uint64_t bits = mesh->watched.word[w] & among; bits;) {
        const uint32_t index = 64 * w + set_take(&bits);
        if (mesh->inputs[index].arrival <= t)
            try_to_begin(mesh, index, n, t);
        if (mesh->inputs[index].arrival > t && set_has(&mesh->watched, index))
            hd_work_at_time(&mesh->head_work, mesh->inputs[index].arrival);
    }
}

/* The inputs of a node take turns, as all inputs do. */
static void begin_all(struct mesh *mesh, uint64_t n, hd_time t)
{
    const uint32_t first = mesh->next_input / 64;
    const uint64_t before = (UINT64_C(1) << mesh->next_input % 64) - 1;
    mesh->head_work = hd_work_none();
    begin_word(mesh, first, ~before, n, t);
    for (uint32_t w = first + 1; w < SET_WORDS; w++)
        begin_word(mesh, w, UINT64_MAX, n, t);
    for (uint32_t w = 0; w < first; w++)
        begin_word(mesh, w, UINT64_MAX, n, t);
    if (before)
        begin_word(mesh, first, before, n, t);
}

/* One flit of the channel whose turn it is. Returns 0 if no buffer has room. */
static uint32_t inject_flit(struct mesh *mesh, uint32_t node, uint64_t n)
{
    for (uint32_t i = 0; i < mesh->channels; i++) {
        const uint32_t channel = (mesh->next_injection[node] + i) % mesh->channels;
        struct injection *injection = &mesh->injections[node * mesh->channels + channel];
        if (!injection->left ||
            mesh->channels_in[mesh_channel(mesh, node, SIDE_LOCAL, channel)].count == mesh->buffer_flits)
            continue;
        injection->left--;
        mesh_push(mesh, node, SIDE_LOCAL, channel,
                  (struct flit){n + mesh->router_latency, injection->traveller, injection->left == 0});
        mesh->next_injection[node] = (uint8_t)((channel + 1) % mesh->channels);
        return 1;
    }
    return 0;
}

static uint32_t is_sending(const struct mesh *mesh, uint32_t node)
{
    for (uint32_t channel = 0; channel < mesh->channels; channel++)
        if (mesh->injections[node * mesh->channels + channel].left)
            return 1;
    return 0;
}

uint32_t mesh_inject(struct mesh *mesh, uint64_t n, hd_time t)
{
    uint32_t injected = 0;
    begin_all(mesh, n, t);
    for (uint32_t w = 0; w < SET_WORDS; w++)
        for (uint64_t bits = mesh->sending.word[w]; bits;) {
            const uint32_t node = 64 * w + set_take(&bits);
            injected |= inject_flit(mesh, node, n);
            if (!is_sending(mesh, node))
                set_remove(&mesh->sending, node);
        }
    if (injected && ++mesh->next_input >= mesh->input_count)
        mesh->next_input = 0;
    return injected;
}

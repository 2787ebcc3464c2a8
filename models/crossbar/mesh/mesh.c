/* SPDX-License-Identifier: MIT */
#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Time */

/* When the next credit of an output that waits for one comes. */
static hd_time next_credit(const struct mesh *mesh)
{
    const hd_services *services = mesh->services;
    hd_time first = HD_NEVER;
    for (uint32_t w = 0; mesh->any_blocked && w < SET_WORDS; w++)
        for (uint64_t bits = mesh->blocked.word[w]; bits;) {
            const struct mesh_output *output = &mesh->outputs[64 * w + set_take(&bits)];
            first = hd_earlier(first, services->credit_arrival(services->context, output->link));
        }
    return first;
}

static hd_work next_work(const struct mesh *mesh)
{
    hd_work work = mesh->head_work;
    hd_work_at_edge(&work, mesh->flit_edge);
    if (mesh->credit_count)
        hd_work_at_edge(&work, mesh->credits[mesh->first_credit & mesh->credit_mask].edge);
    hd_work_at_time(&work, next_credit(mesh));
    return work;
}

static void cycle(struct mesh *mesh, uint64_t n, hd_time t)
{
    mesh_return_credits(mesh, n);
    const uint32_t injected = mesh_inject(mesh, n, t);
    const uint32_t moved = mesh_move(mesh, n, t);
    if (!injected && !moved)
        return;
    mesh->statistics[STATISTIC_ACTIVE_CYCLES]++;
    mesh->flit_edge = n + 1; /* room, owners and turns have changed */
}

hd_time mesh_advance(hd_block *block, hd_time now, hd_time horizon)
{
    struct mesh *mesh = (struct mesh *)block;
    hd_cursor_catch_up(&mesh->cursor, now);
    mesh_refresh(mesh);
    for (;;) {
        const hd_work work = next_work(mesh);
        hd_cursor next = mesh->cursor;
        if (!hd_work_seek(&work, &next))
            return HD_NEVER;
        if (next.t >= horizon)
            return next.t;
        mesh->cursor = next;
        cycle(mesh, next.n, next.t);
        hd_cursor_next(&mesh->cursor);
    }
}

hd_time mesh_promise(hd_block *block, hd_time now)
{
    struct mesh *mesh = (struct mesh *)block;
    hd_cursor next = mesh->cursor;
    hd_cursor_catch_up(&next, now);
    mesh_refresh(mesh);
    const hd_work work = next_work(mesh);
    return hd_work_seek(&work, &next) ? next.t : HD_NEVER;
}

/* ---- Life */

static uint32_t channel_total(const struct mesh *mesh)
{
    return mesh->nodes * SIDES * mesh->channels;
}

static uint32_t is_complete(const struct mesh *mesh)
{
    return mesh->routers && mesh->channels_in && mesh->channels_out && mesh->flits && mesh->injections &&
           mesh->next_injection && mesh->travellers && mesh->free_travellers && mesh->credits;
}

static void allocate(struct mesh *mesh)
{
    const uint32_t total = channel_total(mesh);
    const uint32_t places = total * mesh->buffer_flits;
    uint32_t credits = 1;
    while (credits < places)
        credits *= 2;
    mesh->credit_mask = credits - 1;
    /* A packet under way has a flit in some buffer, or one that is still to be injected. */
    mesh->traveller_count = places + mesh->nodes * mesh->channels;
    mesh->routers = calloc(mesh->nodes, sizeof *mesh->routers);
    mesh->channels_in = calloc(total, sizeof *mesh->channels_in);
    mesh->channels_out = calloc(total, sizeof *mesh->channels_out);
    mesh->flits = calloc(places, sizeof *mesh->flits);
    mesh->injections = calloc((size_t)mesh->nodes * mesh->channels, sizeof *mesh->injections);
    mesh->next_injection = calloc(mesh->nodes, sizeof *mesh->next_injection);
    mesh->travellers = calloc(mesh->traveller_count, sizeof *mesh->travellers);
    mesh->free_travellers = calloc(mesh->traveller_count, sizeof *mesh->free_travellers);
    mesh->credits = calloc(credits, sizeof *mesh->credits);
}

hd_block *mesh_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    struct mesh *mesh = calloc(1, sizeof *mesh);
    if (mesh) {
        mesh->services = services;
        mesh->trace = services->extension(services->context, HD_EXTENSION_TRACE);
        mesh->output_tracks = hd_trace_tracks(mesh->trace, HD_TRACE_BLOCK, "output", MESH_ELEMENTS);
        mesh->columns = (uint32_t)values[PARAMETER_COLUMNS].u;
        mesh->rows = (uint32_t)values[PARAMETER_ROWS].u;
        mesh->nodes = mesh->columns * mesh->rows;
        mesh->flit_bytes = (uint32_t)values[PARAMETER_FLIT_BYTES].u;
        mesh->router_latency = (uint32_t)values[PARAMETER_ROUTER_LATENCY].u;
        mesh->link_latency = (uint32_t)values[PARAMETER_LINK_LATENCY].u;
        mesh->buffer_flits = (uint32_t)values[PARAMETER_BUFFER_FLITS].u;
        mesh->channels = (uint32_t)values[PARAMETER_CHANNELS].u;
        mesh->channel_by = (uint32_t)values[PARAMETER_CHANNEL_BY].u;
        mesh->input_nodes = values[PARAMETER_INPUT_NODES].text;
        mesh->output_nodes = values[PARAMETER_OUTPUT_NODES].text;
        routes_create(&mesh->routes, services);
        allocate(mesh);
    }
    if (!mesh || !is_complete(mesh)) {
        snprintf(error, error_bytes, "out of memory");
        mesh_destroy((hd_block *)mesh);
        return NULL;
    }
    return (hd_block *)mesh;
}

void mesh_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    struct mesh *mesh = (struct mesh *)block;
    if (port == PORT_OUTPUT) {
        mesh->outputs[element].link = out;
        mesh->outputs[element].node = mesh_list_node(mesh->output_nodes, mesh->nodes, element);
        if (mesh->output_count <= element)
            mesh->output_count = element + 1;
        return;
    }
    struct mesh_input *input = &mesh->inputs[element];
    input->link = in;
    input->node = mesh_list_node(mesh->input_nodes, mesh->nodes, element);
    if (mesh->channel_by == CHANNEL_BY_CLASS && mesh->channels > 1)
        input->order = calloc(MESH_ELEMENTS, sizeof *input->order);
    if (mesh->input_count <= element)
        mesh->input_count = element + 1;
}

static void drop_packets(struct mesh *mesh)
{
    const hd_services *services = mesh->services;
    for (uint32_t i = 0; i < mesh->traveller_count; i++)
        if (mesh->travellers[i].packet) {
            services->free(services->context, mesh->travellers[i].packet);
            mesh->travellers[i].packet = NULL;
        }
}

static void reset_routers(struct mesh *mesh)
{
    memset(mesh->routers, 0, mesh->nodes * sizeof *mesh->routers);
    memset(mesh->channels_in, 0, channel_total(mesh) * sizeof *mesh->channels_in);
    for (uint32_t i = 0; i < channel_total(mesh); i++)
        mesh->channels_out[i] = (struct channel_out){SIDE_NONE, (uint16_t)mesh->buffer_flits};
    memset(mesh->injections, 0, (size_t)mesh->nodes * mesh->channels * sizeof *mesh->injections);
    memset(mesh->next_injection, 0, mesh->nodes);
    mesh->first_credit = mesh->credit_count = 0;
    mesh->free_count = mesh->traveller_count;
    for (uint32_t i = 0; i < mesh->traveller_count; i++)
        mesh->free_travellers[i] = i;
}

static void reset_elements(struct mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->input_count; i++) {
        struct mesh_input *input = &mesh->inputs[i];
        *input =
            (struct mesh_input){.link = input->link, .node = input->node, .order = input->order, .arrival = HD_NEVER};
        if (input->order)
            memset(input->order, 0, MESH_ELEMENTS * sizeof *input->order);
        if (input->link)
            set_add(&mesh->empty, i);
    }
    for (uint32_t i = 0; i < mesh->output_count; i++)
        mesh->outputs[i] = (struct mesh_output){
            .link = mesh->outputs[i].link, .node = mesh->outputs[i].node, .blocked_since = UINT64_MAX};
}

void mesh_reset(hd_block *block)
{
    struct mesh *mesh = (struct mesh *)block;
    drop_packets(mesh);
    mesh->empty = mesh->watched = mesh->blocked = mesh->active = mesh->sending = (set){{0}};
    mesh->any_blocked = 0;
    mesh->next_input = 0;
    mesh->flit_edge = UINT64_MAX;
    mesh->head_work = hd_work_none();
    reset_routers(mesh);
    reset_elements(mesh);
    routes_reset(&mesh->routes);
    memset(mesh->statistics, 0, sizeof mesh->statistics);
    hd_cursor_init(&mesh->cursor, mesh->services->clock);
}

void mesh_destroy(hd_block *block)
{
    struct mesh *mesh = (struct mesh *)block;
    if (!mesh)
        return;
    if (mesh->travellers)
        drop_packets(mesh);
    for (uint32_t i = 0; i < mesh->input_count; i++)
        free(mesh->inputs[i].order);
    free(mesh->routers);
    free(mesh->channels_in);
    free(mesh->channels_out);
    free(mesh->flits);
    free(mesh->injections);
    free(mesh->next_injection);
    free(mesh->travellers);
    free(mesh->free_travellers);
    free(mesh->credits);
    free(mesh);
}

/* SPDX-License-Identifier: MIT */
#include "engine_internal.h"

#include <stdlib.h>

static uint32_t is_message(const hd_link *link)
{
    const node *known = link->sender ? link->sender : link->receiver;
    const uint32_t port = link->sender ? link->from.port : link->to.port;
    return known->block_class->ports[port].direction <= HD_PORT_RECEIVE;
}

/* distance[b]: hops from b to target, through blocks that forward; UINT32_MAX: none. Backwards, breadth first. */
static void measure(const hd_engine *engine, uint32_t target, uint32_t *distance, uint32_t *queue)
{
    for (uint32_t b = 0; b < engine->node_count; b++)
        distance[b] = UINT32_MAX;
    uint32_t head = 0, tail = 0;
    distance[target] = 0;
    queue[tail++] = target;
    while (head != tail) {
        const node *reached = engine->nodes[queue[head++]];
        for (uint32_t p = 0; p < reached->block_class->port_count; p++)
            for (uint32_t e = 0; e < reached->ports[p].count; e++) {
                const hd_link *link = reached->ports[p].in[e];
                if (!link || !link->sender || !is_message(link) || distance[link->sender->index] != UINT32_MAX ||
                    !(link->sender->block_class->flags & HD_BLOCK_FORWARDS))
                    continue;
                distance[link->sender->index] = distance[reached->index] + 1;
                queue[tail++] = link->sender->index;
            }
    }
}

/* Fewest hops; of equals, the lowest element. */
static uint32_t best_element(const node_port *port, const uint32_t *distance)
{
    uint32_t best = UINT32_MAX;
    uint32_t best_distance = UINT32_MAX;
    for (uint32_t e = 0; e < port->count; e++) {
        const node *receiver = port->out[e]->receiver;
        if (receiver && distance[receiver->index] < best_distance) {
            best = e;
            best_distance = distance[receiver->index];
        }
    }
    return best;
}

static void make_tables(hd_engine *engine)
{
    engine->endpoint_count = engine->node_count;
    for (uint32_t i = 0; i < engine->override_count; i++)
        if (engine->overrides[i].endpoint >= engine->endpoint_count)
            engine->endpoint_count = engine->overrides[i].endpoint + 1;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        const node *node = engine->nodes[b];
        for (uint32_t p = 0; p < node->block_class->port_count; p++) {
            if (node->block_class->ports[p].direction != HD_PORT_SEND)
                continue;
            node->ports[p].route = malloc(engine->endpoint_count * sizeof *node->ports[p].route);
            for (uint32_t i = 0; i < engine->endpoint_count; i++)
                node->ports[p].route[i] = UINT32_MAX;
        }
    }
}

void route_compute(hd_engine *engine)
{
    uint32_t *distance = calloc(2 * (size_t)engine->node_count + 2, sizeof *distance);
    make_tables(engine);
    for (uint32_t target = 0; target < engine->node_count; target++) {
        measure(engine, target, distance, distance + engine->node_count);
        for (uint32_t b = 0; b < engine->node_count; b++) {
            const node *node = engine->nodes[b];
            for (uint32_t p = 0; p < node->block_class->port_count; p++)
                if (node->ports[p].route)
                    node->ports[p].route[target] = best_element(&node->ports[p], distance);
        }
    }
    for (uint32_t i = 0; i < engine->override_count; i++) {
        const route_override *override = &engine->overrides[i];
        uint32_t *route = engine->nodes[override->block]->ports[override->port].route;
        if (route)
            route[override->endpoint] = override->element;
    }
    free(distance);
}

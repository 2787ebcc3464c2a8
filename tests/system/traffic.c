/* SPDX-License-Identifier: MIT */
#include "traffic.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "measures.h"

#define PORTS_MAX 16u
#define MESSAGES_MAX 64u

typedef struct flow {
    uint64_t packets;
    uint64_t bytes;
} flow;

/* A sender: first[p] is where the elements of port p begin, in rows of MESSAGES_MAX. */
typedef struct sender {
    const netlist_block *block;
    uint32_t first[PORTS_MAX + 1];
    flow *flows;
} sender;

struct traffic {
    hd_machine *machine;
    uint32_t *number; /* of an instance in the engine, by its endpoint in the netlist; HD_FOREIGN = not there */
    sender *senders;  /* by number */
    uint32_t count;
};

traffic *traffic_new(void)
{
    traffic *seen = calloc(1, sizeof *seen);
    cr_assert(seen);
    return seen;
}

void traffic_free(traffic *seen)
{
    for (uint32_t i = 0; i < seen->count; i++)
        free(seen->senders[i].flows);
    free(seen->senders);
    free(seen->number);
    free(seen);
}

static void prepare(sender *from, const netlist_block *block, uint32_t instance)
{
    const uint32_t ports = block->block_class->port_count;
    cr_assert_leq(ports, PORTS_MAX);
    from->block = block;
    for (uint32_t port = 0; port < ports; port++)
        from->first[port + 1] = from->first[port] + block->port_elements[instance * ports + port];
    from->flows = calloc((size_t)from->first[ports] * MESSAGES_MAX + 1, sizeof *from->flows);
    cr_assert(from->flows);
}

void traffic_watch(traffic *seen, hd_machine *machine)
{
    const netlist *list = hd_machine_netlist(machine);
    seen->machine = machine;
    seen->number = calloc(list->endpoint_count, sizeof *seen->number);
    seen->senders = calloc(list->endpoint_count, sizeof *seen->senders);
    cr_assert(seen->number && seen->senders);
    for (uint32_t b = 0; b < list->block_count; b++) {
        const netlist_block *block = &list->blocks[b];
        for (uint32_t i = 0; i < block->count; i++) {
            const int is_ours = block->block_class->create != NULL;
            seen->number[block->first_endpoint + i] = is_ours ? seen->count : HD_FOREIGN;
            if (is_ours)
                prepare(&seen->senders[seen->count++], block, i);
        }
    }
}

void traffic_sent(void *context, uint32_t block, uint32_t port, uint32_t element, const hd_packet *packet, hd_time t)
{
    (void)t;
    sender *from = &((traffic *)context)->senders[block];
    cr_assert_lt(packet->message, MESSAGES_MAX);
    flow *at = &from->flows[(from->first[port] + element) * MESSAGES_MAX + packet->message];
    at->packets++;
    at->bytes += packet->wire_bytes;
}

static void add(json_t *values, const char *name, uint64_t more)
{
    const json_int_t before = json_integer_value(json_object_get(values, name));
    json_object_set_new(values, name, json_integer(before + (json_int_t)more));
}

/* Adds one row of flows as "sent" or "received" of a port. */
static void add_row(const traffic *seen, json_t *values, const char *way, const char *port, const flow *row)
{
    char name[256];
    flow sum = {0};
    for (uint32_t m = 0; m < MESSAGES_MAX; m++) {
        if (!row[m].packets)
            continue;
        const char *message = hd_engine_message_name(hd_machine_engine(seen->machine), m);
        snprintf(name, sizeof name, "%s.%s.%.*s", way, port, (int)strcspn(message, "/"), message);
        add(values, name, row[m].packets);
        sum.packets += row[m].packets;
        sum.bytes += row[m].bytes;
    }
    snprintf(name, sizeof name, "%s.%s", way, port);
    add(values, name, sum.packets);
    snprintf(name, sizeof name, "%s_bytes.%s", way, port);
    add(values, name, sum.bytes);
}

/* What `from` has sent to `to`, on the books of both. */
static void add_way(const traffic *seen, json_t *measures, const netlist_end *from, const netlist_end *to)
{
    const netlist *list = hd_machine_netlist(seen->machine);
    const netlist_block *blocks[2] = {&list->blocks[from->block], &list->blocks[to->block]};
    const uint32_t number = seen->number[blocks[0]->first_endpoint + from->instance];
    if (number == HD_FOREIGN)
        return;
    const sender *sending = &seen->senders[number];
    const flow *row = &sending->flows[(sending->first[from->port] + from->element) * MESSAGES_MAX];
    json_t *sides[2] = {measure_find(measures, blocks[0]->name, from->instance),
                        measure_find(measures, blocks[1]->name, to->instance)};
    add_row(seen, json_object_get(sides[0], "values"), "sent", blocks[0]->block_class->ports[from->port].name, row);
    if (sides[1])
        add_row(seen, json_object_get(sides[1], "values"), "received", blocks[1]->block_class->ports[to->port].name,
                row);
}

void traffic_measure(const traffic *seen, json_t *measures)
{
    const netlist *list = hd_machine_netlist(seen->machine);
    for (uint32_t i = 0; i < list->link_count; i++) {
        add_way(seen, measures, &list->links[i].from, &list->links[i].to);
        if (list->links[i].is_memory)
            add_way(seen, measures, &list->links[i].to, &list->links[i].from);
    }
}

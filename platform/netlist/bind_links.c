/* SPDX-License-Identifier: MIT */
#include "loader.h"

#include <string.h>

/* The elements of one port of one instance, and which link (number + 1) has taken each. */
typedef struct slots {
    uint32_t *owners;
    uint32_t capacity;
    uint32_t bound; /* owners that are not 0 */
    uint32_t top;   /* highest bound element + 1 */
    uint32_t next;  /* no free element lies below */
} slots;

typedef struct ends {
    netlist_end *list;
    uint32_t count;
} ends;

typedef struct binder {
    loader *state;
    draft *work;
    slots **slots;     /* per block: [instance * port_count + port] */
    uint8_t **spoiled; /* per block and port: a link of it is in error, so nothing is said about what is unbound */
    ends *from;        /* per written link */
    ends *to;
    uint8_t *is_bad;
    uint64_t room; /* elements up to the highest that is named, over all links */
} binder;

static const netlist_block *block_of(const binder *bind, const link_side *side)
{
    return &bind->work->blocks[side->block];
}

static const hd_port *port_of(const binder *bind, const link_side *side)
{
    return &block_of(bind, side)->block_class->ports[side->port];
}

static slots *slots_of(const binder *bind, uint32_t block, uint32_t instance, uint32_t port)
{
    return &bind->slots[block][(size_t)instance * bind->work->blocks[block].block_class->port_count + port];
}

static void spoil(binder *bind, uint32_t link)
{
    const written_link *written = &bind->work->links[link];
    bind->is_bad[link] = 1;
    bind->spoiled[written->from.block][written->from.port] = 1;
    bind->spoiled[written->to.block][written->to.port] = 1;
}

/* ---- Taking elements -------------------------------------------------------------------------------------------- */

static void make_room(binder *bind, slots *port, uint32_t element)
{
    if (element < port->capacity)
        return;
    uint32_t capacity = port->capacity ? port->capacity : 1;
    while (capacity <= element)
        capacity *= 2;
    uint32_t *owners = arena_alloc(bind->state->memory, capacity * sizeof *owners);
    if (port->capacity)
        memcpy(owners, port->owners, port->capacity * sizeof *owners);
    port->owners = owners;
    port->capacity = capacity;
}

static void take(binder *bind, ends *side, netlist_end end, uint32_t link)
{
    slots *port = slots_of(bind, end.block, end.instance, end.port);
    make_room(bind, port, end.element);
    port->owners[end.element] = link + 1;
    port->bound++;
    port->top = end.element >= port->top ? end.element + 1 : port->top;
    side->list[side->count++] = end;
}

static const char *end_text(binder *bind, netlist_end end)
{
    char instance[128];
    const netlist_block *block = &bind->work->blocks[end.block];
    const hd_port *port = &block->block_class->ports[end.port];
    netlist_instance_name(bind->work->machine, end.block, end.instance, instance, sizeof instance);
    if (port->maximum_count <= 1)
        return arena_format(bind->state->memory, "%s.%s", instance, port->name);
    return arena_format(bind->state->memory, "%s.%s[%u]", instance, port->name, end.element);
}

static void bound_twice(binder *bind, const link_side *side, netlist_end end, uint32_t link, uint32_t owner)
{
    const written_link *other = &bind->work->links[owner];
    int is_from = other->from.block == end.block && other->from.port == end.port;
    report_error(&bind->state->log, ERROR_BOUND_TWICE, side->reference->at, "'%s' is bound twice", end_text(bind, end));
    report_note_at(&bind->state->log, (is_from ? other->from : other->to).reference->at, "first bound here");
    spoil(bind, link);
}

static int reserve(binder *bind, const link_side *side, uint64_t elements, uint32_t link)
{
    if (elements <= 2 * NETLIST_LINKS_MAX - bind->room) {
        bind->room += elements;
        return 1;
    }
    report_error(&bind->state->log, ERROR_BOUND, side->reference->at, "more than %u links", NETLIST_LINKS_MAX);
    spoil(bind, link);
    return 0;
}

/* A side whose elements are written, or a port that has only one. */
static void take_fixed(binder *bind, const link_side *side, ends *list, uint32_t link)
{
    uint64_t total = (uint64_t)side->instances * side->elements;
    if (!reserve(bind, side, side->instances * ((uint64_t)side->first_element + side->elements), link))
        return;
    list->list = arena_alloc(bind->state->memory, total * sizeof *list->list);
    for (uint32_t i = 0; i < side->instances; i++) {
        for (uint32_t e = 0; e < side->elements; e++) {
            netlist_end end = {side->block, side->first_instance + i, side->port, side->first_element + e};
            const slots *port = slots_of(bind, end.block, end.instance, end.port);
            uint32_t owner = end.element < port->capacity ? port->owners[end.element] : 0;
            if (owner) {
                bound_twice(bind, side, end, link, owner - 1);
                return;
            }
            take(bind, list, end, link);
        }
    }
}

static int take_free(binder *bind, const link_side *side, uint32_t instance, ends *list, uint32_t link)
{
    slots *port = slots_of(bind, side->block, instance, side->port);
    while (port->next < port->capacity && port->owners[port->next])
        port->next++;
    if (port->next < port_of(bind, side)->maximum_count) {
        take(bind, list, (netlist_end){side->block, instance, side->port, port->next}, link);
        return 1;
    }
    report_error(&bind->state->log, ERROR_TOO_MANY, side->reference->at,
                 "port '%s' of block '%s' has at most %u elements, and more are bound to it", port_of(bind, side)->name,
                 block_of(bind, side)->name, port_of(bind, side)->maximum_count);
    spoil(bind, link);
    return 0;
}

/* A side of array ports without index: its instances share `total` elements evenly. */
static void take_elastic(binder *bind, const link_side *side, ends *list, uint32_t total, uint32_t link)
{
    if (!reserve(bind, side, total, link))
        return;
    list->list = arena_alloc(bind->state->memory, total * sizeof *list->list);
    for (uint32_t i = 0; i < side->instances; i++) {
        for (uint32_t e = 0; e < total / side->instances; e++) {
            if (!take_free(bind, side, side->first_instance + i, list, link))
                return;
        }
    }
}

/* Unless the link itself names them. */
static void note_count(binder *bind, const link_side *side)
{
    if (side->instances == block_of(bind, side)->count)
        netlist_note_count(bind->state, bind->work, side->block);
}

static uint32_t has_count_of(const link_side *side, const link_side *other)
{
    return side->block == other->block && side->instances == other->instances && side->elements == other->elements;
}

/* An earlier link between the same blocks, with as many of each: one mistake gets one error. */
static uint32_t is_told(const binder *bind, uint32_t index)
{
    const written_link *link = &bind->work->links[index];
    for (uint32_t i = 0; i < index; i++) {
        const written_link *earlier = &bind->work->links[i];
        const uint32_t is_same = (has_count_of(&link->from, &earlier->from) && has_count_of(&link->to, &earlier->to)) ||
                                 (has_count_of(&link->from, &earlier->to) && has_count_of(&link->to, &earlier->from));
        if (bind->is_bad[i] && is_same)
            return 1;
    }
    return 0;
}

static void count_mismatch(binder *bind, uint32_t index)
{
    const written_link *link = &bind->work->links[index];
    const link_side *sides[] = {&link->from, &link->to};
    const char *counts[2];
    if (is_told(bind, index)) {
        spoil(bind, index);
        return;
    }
    for (int i = 0; i < 2; i++) {
        uint32_t count = sides[i]->instances * (sides[i]->elements ? sides[i]->elements : 1);
        counts[i] = arena_format(bind->state->memory, "'%s' has %s%u port element%s", sides[i]->reference->text,
                                 sides[i]->elements ? "" : "a multiple of ", count, count == 1 ? "" : "s");
    }
    report_error(&bind->state->log, ERROR_COUNT_MISMATCH, link->to.reference->at, "%s, but %s", counts[0], counts[1]);
    note_count(bind, &link->from);
    if (link->to.block != link->from.block)
        note_count(bind, &link->to);
    spoil(bind, index);
}

static void bind_elastic(binder *bind, uint32_t index)
{
    const written_link *link = &bind->work->links[index];
    const link_side *from = &link->from, *to = &link->to;
    uint32_t total = from->elements                    ? bind->from[index].count
                     : to->elements                    ? bind->to[index].count
                     : from->instances > to->instances ? from->instances
                                                       : to->instances;
    if ((from->elements ? total != bind->from[index].count : total % from->instances != 0) ||
        (to->elements ? total != bind->to[index].count : total % to->instances != 0)) {
        count_mismatch(bind, index);
        return;
    }
    if (!from->elements)
        take_elastic(bind, from, &bind->from[index], total, index);
    if (!to->elements && !bind->is_bad[index])
        take_elastic(bind, to, &bind->to[index], total, index);
}

/* ---- What is missing -------------------------------------------------------------------------------------------- */

static void check_hole(binder *bind, uint32_t block, uint32_t instance, uint32_t port)
{
    const slots *elements = slots_of(bind, block, instance, port);
    if (elements->bound == elements->top)
        return;
    uint32_t hole = 0;
    while (elements->owners[hole])
        hole++;
    const written_link *link = &bind->work->links[elements->owners[elements->top - 1] - 1];
    const link_side *side = link->from.block == block && link->from.port == port ? &link->from : &link->to;
    report_error(&bind->state->log, ERROR_HOLE, side->reference->at, "'%s' is bound, but '%s' is not",
                 end_text(bind, (netlist_end){block, instance, port, elements->top - 1}),
                 end_text(bind, (netlist_end){block, instance, port, hole}));
}

static void check_minimum(binder *bind, uint32_t block, uint32_t port)
{
    const netlist_block *checked = &bind->work->blocks[block];
    const hd_port *declared = &checked->block_class->ports[port];
    uint32_t lacking = 0, first = 0;
    for (uint32_t i = checked->count; i-- > 0;) {
        if (slots_of(bind, block, i, port)->bound < declared->minimum_count) {
            lacking++;
            first = i;
        }
    }
    if (!lacking)
        return;
    char instance[128];
    netlist_instance_name(bind->work->machine, block, first, instance, sizeof instance);
    uint32_t bound = slots_of(bind, block, first, port)->bound;
    span at = bind->work->block_entries[block]->key->at;
    if (bound)
        report_error(&bind->state->log, ERROR_UNBOUND, at, "port '%s' of '%s' has %u of at least %u elements bound",
                     declared->name, instance, bound, declared->minimum_count);
    else
        report_error(&bind->state->log, ERROR_UNBOUND, at, "port '%s' of '%s' is not bound", declared->name, instance);
    report_note(&bind->state->log, "it %s: %s", netlist_direction_text(declared->direction), declared->doc);
    if (lacking > 1)
        report_note(&bind->state->log, "the same holds for %u more of its instances", lacking - 1);
}

static void check_ports(binder *bind, uint32_t block)
{
    const netlist_block *checked = &bind->work->blocks[block];
    for (uint32_t p = 0; p < checked->block_class->port_count; p++) {
        if (bind->spoiled[block][p])
            continue;
        for (uint32_t i = 0; i < checked->count; i++)
            check_hole(bind, block, i, p);
        check_minimum(bind, block, p);
    }
}

/* ---- The flattened list ----------------------------------------------------------------------------------------- */

static netlist_channel channel(const binder *bind, const written_channel *written, const link_side *sender,
                               const link_side *receiver)
{
    hd_clock clock = {bind->work->clocks[block_of(bind, sender)->clock].hz};
    uint32_t cycles = port_of(bind, sender)->latency_cycles;
    uint32_t credits = port_of(bind, receiver)->credits;
    netlist_channel result = {.latency = written->latency, .credits = written->credits};
    if (!result.latency)
        result.latency = hd_clock_cycles(clock, cycles ? cycles : 1);
    if (!result.credits)
        result.credits = credits ? credits : 1;
    result.credit_latency = written->credit_latency ? written->credit_latency : result.latency;
    return result;
}

static void flatten(binder *bind)
{
    netlist *machine = bind->work->machine;
    for (uint32_t i = 0; i < bind->work->link_count; i++)
        machine->link_count += bind->from[i].count;
    netlist_link *links = arena_alloc(bind->state->memory, machine->link_count * sizeof *links + 1);
    uint32_t *origins = arena_alloc(bind->state->memory, machine->link_count * sizeof *origins + 1);
    uint32_t next = 0;
    for (uint32_t i = 0; i < bind->work->link_count; i++) {
        const written_link *written = &bind->work->links[i];
        netlist_link link = {.place = netlist_place_of(written->source->at), .options = written->options};
        memcpy(link.within, written->within, sizeof link.within);
        link.is_memory = port_of(bind, &written->from)->direction == HD_PORT_INITIATOR;
        link.is_tap = port_of(bind, &written->from)->direction == HD_PORT_TAPPED;
        if (!link.is_tap)
            link.forward = channel(bind, &written->forward, &written->from, &written->to);
        if (link.is_memory)
            link.response = channel(bind, &written->response, &written->to, &written->from);
        for (uint32_t k = 0; k < bind->from[i].count; k++) {
            link.from = bind->from[i].list[k];
            link.to = bind->to[i].list[k];
            origins[next] = i;
            links[next++] = link;
        }
    }
    machine->links = links;
    bind->work->link_origins = origins;
}

static void count_elements(binder *bind)
{
    for (uint32_t b = 0; b < bind->work->machine->block_count; b++) {
        netlist_block *block = &bind->work->blocks[b];
        size_t ports = (size_t)block->count * block->block_class->port_count;
        uint32_t *counts = arena_alloc(bind->state->memory, ports * sizeof *counts + 1);
        for (size_t i = 0; i < ports; i++)
            counts[i] = bind->slots[b][i].bound;
        block->port_elements = counts;
    }
}

static binder make_binder(loader *state, draft *work)
{
    binder bind = {.state = state, .work = work};
    arena *memory = state->memory;
    uint32_t blocks = work->machine->block_count;
    bind.slots = arena_alloc(memory, blocks * sizeof *bind.slots + 1);
    bind.spoiled = arena_alloc(memory, blocks * sizeof *bind.spoiled + 1);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t ports = work->blocks[b].block_class->port_count;
        bind.slots[b] = arena_alloc(memory, (size_t)work->blocks[b].count * ports * sizeof **bind.slots + 1);
        bind.spoiled[b] = arena_alloc(memory, ports + 1);
    }
    bind.from = arena_alloc(memory, work->link_count * sizeof *bind.from + 1);
    bind.to = arena_alloc(memory, work->link_count * sizeof *bind.to + 1);
    bind.is_bad = arena_alloc(memory, work->link_count + 1);
    return bind;
}

void netlist_bind_links(loader *state, draft *work)
{
    binder bind = make_binder(state, work);
    for (uint32_t i = 0; i < work->link_count; i++)
        if (!netlist_check_direction(state, work, &work->links[i]))
            spoil(&bind, i);
    for (uint32_t i = 0; i < work->link_count; i++) {
        if (!bind.is_bad[i] && work->links[i].from.elements)
            take_fixed(&bind, &work->links[i].from, &bind.from[i], i);
        if (!bind.is_bad[i] && work->links[i].to.elements)
            take_fixed(&bind, &work->links[i].to, &bind.to[i], i);
    }
    for (uint32_t i = 0; i < work->link_count; i++) {
        if (!bind.is_bad[i])
            bind_elastic(&bind, i);
    }
    for (uint32_t b = 0; b < work->machine->block_count; b++)
        check_ports(&bind, b);
    if (state->log.errors)
        return;
    flatten(&bind);
    count_elements(&bind);
}

/* SPDX-License-Identifier: MIT */
#include "hd_link.h"
#include "state.h"

uint32_t crossbar_has_buffers(const struct crossbar *crossbar)
{
    return crossbar->virtual_output || crossbar->channels > 1;
}

void crossbar_expect(struct crossbar *crossbar, uint32_t index, uint64_t n)
{
    const struct element *element = &crossbar->elements[index];
    const uint64_t free_edge = crossbar->inputs[element->port].free_edge;
    if (!element->buffers && free_edge > n) /* nobody needs to know before the port can send */
        hd_work_at_edge(&crossbar->head_work, free_edge);
    else
        hd_work_at_time(&crossbar->head_work, element->arrival);
}

/* What comes next in the link of an element, whose first packet is dealt with. */
static void next_arrival(struct crossbar *crossbar, uint32_t index, uint64_t n)
{
    struct element *element = &crossbar->elements[index];
    element->arrival = hd_link_arrival(element->link);
    if (element->arrival == HD_NEVER) {
        set_remove(&crossbar->watched, index);
        set_add(&crossbar->empty, index);
        return;
    }
    set_add(&crossbar->watched, index);
    crossbar_expect(crossbar, index, n);
}

static void refuse(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    hd_packet *packet = services->pop(services->context, crossbar->elements[index].link, t);
    routes_refuse(&crossbar->routes, packet, t);
    services->free(services->context, packet);
    next_arrival(crossbar, index, n);
}

void crossbar_add_demand(struct crossbar *crossbar, uint32_t input, uint32_t queue, uint32_t output, uint64_t n)
{
    struct input *in = &crossbar->inputs[input];
    if (!in->wants[output]) {
        set_add(&in->wanted, output);
        in->wanted_count++;
    }
    in->wants[output] |= UINT64_C(1) << queue;
    if (in->free_edge <= n) {
        crossbar_request(crossbar, input, output);
        return;
    }
    set_add(&crossbar->hidden, input);
    hd_work_at_edge(&crossbar->head_work, in->free_edge);
}

static uint32_t channel_of(const struct crossbar *crossbar, const hd_packet *packet)
{
    return (crossbar->channel_by == CHANNEL_BY_CLASS ? packet->traffic_class : packet->unit) % crossbar->channels;
}

static struct entry describe(const struct crossbar *crossbar, const hd_packet *packet, hd_time arrival)
{
    struct entry entry = {.arrival = arrival, .flits = crossbar_flits(crossbar, packet), .outputs = 1};
    if (__builtin_expect(crossbar_has_path(crossbar, packet), 0)) {
        entry.flits = crossbar_path_flits(crossbar, packet);
        entry.has_path = 1;
    }
    return entry;
}

/* Where the packet goes: to entry->output, or if there are several, to `outputs`. 0: nowhere. */
static uint32_t find(struct crossbar *crossbar, const hd_packet *packet, struct entry *entry, set *outputs)
{
    uint32_t found;
    if (!packet->destination_set) {
        found = routes_find(&crossbar->routes, packet->destination, packet->unit);
    } else {
        *outputs = (set){{0}};
        const uint32_t count = routes_find_set(&crossbar->routes, packet, outputs);
        if (count == ROUTE_NONE)
            return 0;
        entry->outputs = (uint16_t)count;
        found = set_turn(outputs, crossbar->output_words, 0);
    }
    if (found >= crossbar->output_count || !crossbar->outputs[found].link)
        return 0;
    entry->output = (uint16_t)found;
    return 1;
}

static void add_demands(struct crossbar *crossbar, uint32_t input, uint32_t queue, const set *outputs, uint64_t n)
{
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = outputs->word[w]; bits;)
            crossbar_add_demand(crossbar, input, queue, 64 * w + set_take(&bits), n);
}

/* The link is the queue: its first packet stays there until it is granted. */
static void update_link_head(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    struct element *element = &crossbar->elements[index];
    const hd_packet *packet = hd_link_peek(element->link, t);
    set outputs;
    struct entry *head = &element->head;
    *head = describe(crossbar, packet, element->arrival);
    if (!find(crossbar, packet, head, &outputs)) {
        head->outputs = 0;
        refuse(crossbar, index, n, t);
        return;
    }
    set_remove(&crossbar->watched, index);
    if (head->outputs == 1)
        crossbar_add_demand(crossbar, element->port, element->queue, head->output, n);
    else
        add_demands(crossbar, element->port, element->queue, &outputs, n);
}

/* Would the packet overtake one for the same output in another channel? */
static uint32_t must_wait(const struct crossbar *crossbar, const struct element *element, const set *outputs,
                          uint32_t channel)
{
    if (!element->order)
        return 0;
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = outputs->word[w]; bits;) {
            const struct order *order = &element->order[64 * w + set_take(&bits)];
            if (order->packets && order->channel != channel)
                return 1;
        }
    return 0;
}

static void keep_order(const struct crossbar *crossbar, struct element *element, const set *outputs, uint32_t channel)
{
    for (uint32_t w = 0; element->order && w < crossbar->output_words; w++)
        for (uint64_t bits = outputs->word[w]; bits;) {
            struct order *order = &element->order[64 * w + set_take(&bits)];
            order->channel = (uint16_t)channel;
            order->packets++;
        }
}

static void enqueue(struct crossbar *crossbar, struct element *element, uint32_t channel, struct entry *entry,
                    const set *outputs, uint64_t n)
{
    struct buffer *buffer = &element->buffers[channel];
    if (!crossbar->virtual_output) {
        if (buffer_append(buffer, entry, 0))
            add_demands(crossbar, element->port, element->queue + channel, outputs, n);
        return;
    }
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = outputs->word[w]; bits;) {
            const uint32_t output = 64 * w + set_take(&bits);
            if (buffer_append(buffer, entry, output))
                crossbar_add_demand(crossbar, element->port, element->queue + channel, output, n);
        }
}

/* Takes the first packet out of the link. Returns 0 if it has to stay. */
static uint32_t admit(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct element *element = &crossbar->elements[index];
    const hd_packet *packet = hd_link_peek(element->link, t);
    set outputs = {{0}};
    struct entry entry = describe(crossbar, packet, element->arrival);
    if (!find(crossbar, packet, &entry, &outputs)) {
        refuse(crossbar, index, n, t);
        return 1;
    }
    if (entry.outputs == 1)
        set_add(&outputs, entry.output);
    const uint32_t channel = channel_of(crossbar, packet);
    struct buffer *buffer = &element->buffers[channel];
    if (!buffer_has_room(buffer, crossbar->virtual_output ? entry.outputs : 1) ||
        must_wait(crossbar, element, &outputs, channel))
        return 0;
    struct entry *kept = buffer_add(buffer);
    *kept = entry;
    kept->packet = services->pop(services->context, element->link, t);
    keep_order(crossbar, element, &outputs, channel);
    enqueue(crossbar, element, channel, kept, &outputs, n);
    next_arrival(crossbar, index, n);
    return 1;
}

void crossbar_update_head(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const struct element *element = &crossbar->elements[index];
    if (!element->buffers) {
        update_link_head(crossbar, index, n, t);
        return;
    }
    while (element->arrival <= t)
        if (!admit(crossbar, index, n, t)) {
            set_remove(&crossbar->watched, index);
            set_add(&crossbar->full, index);
            return;
        }
}

static void unhide_free_inputs(struct crossbar *crossbar, uint64_t n)
{
    for (uint32_t w = 0; w < crossbar->element_words; w++)
        for (uint64_t bits = crossbar->hidden.word[w]; bits;) {
            const uint32_t index = 64 * w + set_take(&bits);
            if (crossbar->inputs[index].free_edge <= n)
                crossbar_unhide(crossbar, index);
            else
                hd_work_at_edge(&crossbar->head_work, crossbar->inputs[index].free_edge);
        }
}

void crossbar_update_heads(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    crossbar->head_work = hd_work_none();
    unhide_free_inputs(crossbar, n);
    for (uint32_t w = 0; w < crossbar->element_words; w++)
        for (uint64_t bits = crossbar->watched.word[w]; bits;) {
            const uint32_t index = 64 * w + set_take(&bits);
            const struct element *element = &crossbar->elements[index];
            if (element->arrival <= t && (element->buffers || crossbar->inputs[element->port].free_edge <= n))
                crossbar_update_head(crossbar, index, n, t);
            else
                crossbar_expect(crossbar, index, n);
        }
}

/* A packet into an empty link comes between two calls. */
void crossbar_refresh(struct crossbar *crossbar)
{
    const hd_services *services = crossbar->services;
    uint32_t port, index;
    while (services->filled(services->context, &port, &index)) {
        struct element *element = &crossbar->elements[index];
        if (!set_has(&crossbar->empty, index))
            continue;
        element->arrival = hd_link_arrival(element->link);
        if (element->arrival == HD_NEVER)
            continue;
        set_remove(&crossbar->empty, index);
        set_add(&crossbar->watched, index);
        crossbar_expect(crossbar, index, crossbar->cursor.n);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * Crossbars as most are: every link is its own queue and its own port, there is one lane, and as few links as a word has bits. Nothing is
 * decided here that is not decided elsewhere too: what transfer.c, admit.c and arbiters.c do step by step for all crossbars is done
 * at once for packets with one destination; others take the long way. The state is the same.
 */
#include "hd_link.h"
#include "state.h"
#include "traffic.h"

uint32_t crossbar_can_be_plain(const struct crossbar *crossbar)
{
    return !crossbar_has_buffers(crossbar) && crossbar->inputs_per_port == 1 && crossbar->outputs_per_port == 1 &&
           crossbar->speedup == 1 && !crossbar->path_bytes && !crossbar->trace && crossbar->element_words <= 1 &&
           crossbar->output_words <= 1;
}

static inline uint64_t bit_of(uint32_t member)
{
    return UINT64_C(1) << member;
}

/* ---- What leaves */

/* Takes the packet out of its link; what comes next there is looked at when the port is free again. */
static inline hd_packet *take(struct crossbar *crossbar, uint32_t input, uint64_t free_edge, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct element *element = &crossbar->elements[input];
    hd_packet *packet = services->pop(services->context, element->link, t);
    element->head.outputs = 0;
    element->arrival = hd_link_arrival(element->link);
    if (element->arrival == HD_NEVER) {
        crossbar->watched.word[0] &= ~bit_of(input);
        crossbar->empty.word[0] |= bit_of(input);
    } else {
        crossbar->watched.word[0] |= bit_of(input);
        hd_work_at_edge(&crossbar->head_work, free_edge);
    }
    return packet;
}

/* The first packet of the input's link leaves for the output. Both are free, and the output has a credit. */
static inline void pass(struct crossbar *crossbar, uint32_t index, uint32_t input, uint32_t flits, uint64_t n,
                        hd_time t)
{
    const uint64_t free_edge = n + flits;
    crossbar->outputs[index].next_input = input + 1;
    crossbar_count_pass(crossbar, crossbar->elements[input].arrival, flits, n);
    crossbar->inputs[input].free_edge = crossbar->ports[index].free_edge = free_edge;
    hd_packet *packet = take(crossbar, input, free_edge, t);
    crossbar->statistics[STATISTIC_PACKETS]++;
    network_count_class(crossbar->statistics + STATISTIC_CLASS_PACKETS, packet);
    crossbar_fly(crossbar, free_edge + crossbar->latency - 1, packet, index, input);
}

/* ---- Heads */

static inline void count_contention(struct crossbar *crossbar, uint64_t requests)
{
    uint64_t *most = &crossbar->statistics[STATISTIC_CONTENTION_MAXIMUM];
    const uint64_t contention = requests & (requests - 1) ? (uint64_t)__builtin_popcountll(requests) : 1;
    if (contention > *most)
        *most = contention;
}

/* The packet waits for others, for its output or for a credit. */
static void request(struct crossbar *crossbar, uint32_t input, uint32_t index, uint32_t flits)
{
    struct output *output = &crossbar->outputs[index];
    struct element *element = &crossbar->elements[input];
    element->head = (struct entry){
        .arrival = element->arrival, .flits = flits, .is_plain = 1, .outputs = 1, .output = (uint16_t)index};
    crossbar->watched.word[0] &= ~bit_of(input);
    crossbar->inputs[input].wants[index] = 1;
    crossbar->inputs[input].wanted.word[0] = bit_of(index);
    crossbar->inputs[input].wanted_count = 1;
    output->requests.word[0] |= bit_of(input);
    crossbar->requested.word[0] |= bit_of(index);
    if (!(crossbar->blocked.word[0] & bit_of(index)))
        crossbar->grant_edge = hd_earlier(crossbar->grant_edge, crossbar->ports[index].free_edge);
    count_contention(crossbar, output->requests.word[0]);
}

/* Where a packet with one destination goes; ROUTE_NONE: nowhere, or to several. */
static inline uint32_t output_for(struct crossbar *crossbar, const hd_packet *packet)
{
    const uint32_t output =
        packet->destination_set ? ROUTE_NONE : routes_find(&crossbar->routes, packet->destination, packet->unit);
    return output < crossbar->output_count && crossbar->outputs[output].link ? output : ROUTE_NONE;
}

/* First packets of links of free input ports: where they go. */
struct heads {
    uint64_t inputs;
    uint64_t contended; /* outputs that more than one packet is for, those included that wait */
    uint8_t output[64];
    uint32_t flits[64];
};

static inline void look(struct crossbar *crossbar, struct heads *heads, uint64_t inputs, uint64_t n, hd_time t)
{
    uint64_t wanted = 0;
    heads->inputs = heads->contended = 0;
    while (inputs) {
        const uint32_t input = set_take(&inputs);
        const hd_packet *packet = hd_link_peek(crossbar->elements[input].link, t);
        const uint32_t output = output_for(crossbar, packet);
        if (output == ROUTE_NONE) {
            crossbar_update_head(crossbar, input, n, t);
            continue;
        }
        heads->inputs |= bit_of(input);
        heads->output[input] = (uint8_t)output;
        heads->flits[input] = crossbar_flits(crossbar, packet);
        heads->contended |= wanted & bit_of(output);
        wanted |= bit_of(output);
    }
    heads->contended |= crossbar->requested.word[0];
}

/* A packet that nobody competes with goes at once, others wait for the arbiter: it would let the former go at this edge too. */
static inline void settle(struct crossbar *crossbar, uint32_t input, uint32_t output, uint32_t flits,
                          uint64_t contended, uint64_t n, hd_time t)
{
    if ((contended | crossbar->blocked.word[0]) & bit_of(output) || crossbar->ports[output].free_edge > n ||
        !crossbar_can_send(crossbar, &crossbar->outputs[output], t)) {
        request(crossbar, input, output, flits);
        return;
    }
    count_contention(crossbar, bit_of(input));
    pass(crossbar, output, input, flits, n, t);
}

static __attribute__((noinline)) void settle_all(struct crossbar *crossbar, uint64_t inputs, uint64_t n, hd_time t)
{
    struct heads heads;
    look(crossbar, &heads, inputs, n, t);
    while (heads.inputs) {
        const uint32_t input = set_take(&heads.inputs);
        settle(crossbar, input, heads.output[input], heads.flits[input], heads.contended, n, t);
    }
}

/* As most often: it is the only one at this edge. */
static inline void settle_alone(struct crossbar *crossbar, uint32_t input, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    const hd_packet *packet = services->peek(services->context, crossbar->elements[input].link, t);
    const uint32_t output = output_for(crossbar, packet);
    if (output == ROUTE_NONE)
        crossbar_update_head(crossbar, input, n, t);
    else
        settle(crossbar, input, output, crossbar_flits(crossbar, packet), crossbar->requested.word[0], n, t);
}

void crossbar_update_plain_heads(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    if (__builtin_expect(crossbar->hidden.word[0] != 0, 0)) { /* of a packet for several outputs */
        crossbar_update_heads(crossbar, n, t);
        return;
    }
    uint64_t ready = 0;
    crossbar->head_work = hd_work_none();
    for (uint64_t bits = crossbar->watched.word[0]; bits;) {
        const uint32_t index = set_take(&bits);
        const hd_time arrival = crossbar->elements[index].arrival;
        const uint64_t free_edge = crossbar->inputs[index].free_edge;
        if (free_edge > n)
            hd_work_at_edge(&crossbar->head_work, free_edge);
        else if (arrival <= t)
            ready |= bit_of(index);
        else
            hd_work_at_time(&crossbar->head_work, arrival);
    }
    if (ready & (ready - 1))
        settle_all(crossbar, ready, n, t);
    else if (ready)
        settle_alone(crossbar, (uint32_t)__builtin_ctzll(ready), n, t);
}

/* ---- Grants */

static void withdraw(struct crossbar *crossbar, uint32_t input, uint32_t index)
{
    struct input *in = &crossbar->inputs[input];
    uint64_t *requests = &crossbar->outputs[index].requests.word[0];
    in->wants[index] = 0;
    in->wanted.word[0] = 0;
    in->wanted_count = 0;
    *requests &= ~bit_of(input);
    if (!*requests)
        crossbar->requested.word[0] &= ~bit_of(index);
}

static void grant(struct crossbar *crossbar, uint32_t index, uint32_t input, uint64_t n, hd_time t)
{
    const struct entry *entry = &crossbar->elements[input].head;
    if (__builtin_expect(!entry->is_plain, 0)) {
        crossbar->outputs[index].next_input = input + 1;
        crossbar_grant(crossbar, index, input, 0, n, t);
        return;
    }
    withdraw(crossbar, input, index);
    pass(crossbar, index, input, entry->flits, n, t);
}

/* As crossbar_round_robin, whose order of outputs does not matter for packets with one destination. */
void crossbar_plain_round_robin(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    const uint64_t among = crossbar->asking ? UINT64_MAX : ~crossbar->blocked.word[0];
    for (uint64_t bits = crossbar->requested.word[0] & among; bits;) {
        const uint32_t index = set_take(&bits);
        const struct output *output = &crossbar->outputs[index];
        if (crossbar->ports[index].free_edge > n || !output->requests.word[0] ||
            !crossbar_has_credit(crossbar, index, n, t))
            continue;
        const uint32_t winner = set_turn_of_word(output->requests.word[0], output->next_input);
        grant(crossbar, index, winner, n, t);
    }
    crossbar->grant_edge = UINT64_MAX;
    for (uint64_t bits = crossbar->requested.word[0] & ~crossbar->blocked.word[0]; bits;) {
        const uint64_t edge = crossbar->ports[set_take(&bits)].free_edge;
        crossbar->grant_edge = hd_earlier(crossbar->grant_edge, edge > n ? edge : n + 1);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * Crossbars as most are: every link is its own queue and its own port, there is one lane, and as few links as a word has bits. Nothing is
 * decided here that is not decided elsewhere too: what transfer.c, admit.c and arbiters.c do step by step for all crossbars is done
 * at once for packets with one destination; others take the long way. The state is the same.
 */
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

/* ---- Heads */

static void count_contention(struct crossbar *crossbar, uint64_t requests)
{
    uint64_t *most = &crossbar->statistics[STATISTIC_CONTENTION_MAXIMUM];
    const uint64_t contention = requests & (requests - 1) ? (uint64_t)__builtin_popcountll(requests) : 1;
    if (contention > *most)
        *most = contention;
}

static void request(struct crossbar *crossbar, uint32_t input, uint32_t index)
{
    struct output *output = &crossbar->outputs[index];
    output->requests.word[0] |= bit_of(input);
    crossbar->requested.word[0] |= bit_of(index);
    if (!(crossbar->blocked.word[0] & bit_of(index)))
        crossbar->grant_edge = hd_earlier(crossbar->grant_edge, crossbar->ports[index].free_edge);
    count_contention(crossbar, output->requests.word[0]);
}

/* The first packet of a link, of an input port that is free. */
static void look(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct element *element = &crossbar->elements[index];
    const hd_packet *packet = services->peek(services->context, element->link, t);
    const uint32_t output =
        packet->destination_set ? ROUTE_NONE : routes_find(&crossbar->routes, packet->destination, packet->unit);
    if (output >= crossbar->output_count || !crossbar->outputs[output].link) {
        crossbar_update_head(crossbar, index, n, t);
        return;
    }
    struct input *input = &crossbar->inputs[index];
    element->head = (struct entry){.arrival = element->arrival,
                                   .flits = crossbar_flits(crossbar, packet),
                                   .is_plain = 1,
                                   .outputs = 1,
                                   .output = (uint16_t)output};
    crossbar->watched.word[0] &= ~bit_of(index);
    input->wants[output] = 1;
    input->wanted.word[0] = bit_of(output);
    input->wanted_count = 1;
    request(crossbar, index, output);
}

void crossbar_update_plain_heads(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    if (__builtin_expect(crossbar->hidden.word[0] != 0, 0)) { /* of a packet for several outputs */
        crossbar_update_heads(crossbar, n, t);
        return;
    }
    crossbar->head_work = hd_work_none();
    for (uint64_t bits = crossbar->watched.word[0]; bits;) {
        const uint32_t index = set_take(&bits);
        const struct element *element = &crossbar->elements[index];
        const uint64_t free_edge = crossbar->inputs[index].free_edge;
        if (free_edge > n)
            hd_work_at_edge(&crossbar->head_work, free_edge);
        else if (element->arrival <= t)
            look(crossbar, index, n, t);
        else
            hd_work_at_time(&crossbar->head_work, element->arrival);
    }
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

/* Takes the packet out of its link; what comes next there is looked at when the port is free again. */
static hd_packet *take(struct crossbar *crossbar, uint32_t input, uint64_t free_edge, hd_time t)
{
    const hd_services *services = crossbar->services;
    struct element *element = &crossbar->elements[input];
    hd_packet *packet = services->pop(services->context, element->link, t);
    element->head.outputs = 0;
    element->arrival = services->arrival(services->context, element->link);
    if (element->arrival == HD_NEVER) {
        crossbar->empty.word[0] |= bit_of(input);
    } else {
        crossbar->watched.word[0] |= bit_of(input);
        hd_work_at_edge(&crossbar->head_work, free_edge);
    }
    return packet;
}

static void grant(struct crossbar *crossbar, uint32_t index, uint32_t input, uint64_t n, hd_time t)
{
    const struct entry *entry = &crossbar->elements[input].head;
    const uint64_t free_edge = n + entry->flits;
    if (__builtin_expect(!entry->is_plain, 0)) {
        crossbar_grant(crossbar, index, input, 0, n, t);
        return;
    }
    crossbar_count_pass(crossbar, entry, n);
    crossbar->inputs[input].free_edge = crossbar->ports[index].free_edge = free_edge;
    withdraw(crossbar, input, index);
    hd_packet *packet = take(crossbar, input, free_edge, t);
    crossbar->statistics[STATISTIC_PACKETS]++;
    network_count_class(crossbar->statistics + STATISTIC_CLASS_PACKETS, packet);
    crossbar_fly(crossbar,
                 &(struct flight){free_edge + crossbar->latency - 1, packet, (uint16_t)index, (uint16_t)input});
}

/* As crossbar_round_robin, whose order of outputs does not matter for packets with one destination. */
void crossbar_plain_round_robin(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    const uint64_t among = crossbar->asking ? UINT64_MAX : ~crossbar->blocked.word[0];
    for (uint64_t bits = crossbar->requested.word[0] & among; bits;) {
        const uint32_t index = set_take(&bits);
        struct output *output = &crossbar->outputs[index];
        if (crossbar->ports[index].free_edge > n || !output->requests.word[0] ||
            !crossbar_has_credit(crossbar, index, n, t))
            continue;
        const uint32_t winner = set_turn_of_word(output->requests.word[0], output->next_input);
        output->next_input = winner + 1;
        grant(crossbar, index, winner, n, t);
    }
    crossbar->grant_edge = UINT64_MAX;
    for (uint64_t bits = crossbar->requested.word[0] & ~crossbar->blocked.word[0]; bits;) {
        const uint64_t edge = crossbar->ports[set_take(&bits)].free_edge;
        crossbar->grant_edge = hd_earlier(crossbar->grant_edge, edge > n ? edge : n + 1);
    }
}

/* SPDX-License-Identifier: MIT */
#include "state.h"

/* Outputs that can be asked. */
static uint32_t candidates(const struct crossbar *crossbar, uint16_t *outputs)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = crossbar->requested.word[w] & (crossbar->asking ? UINT64_MAX : ~crossbar->blocked.word[w]);
             bits;)
            outputs[count++] = (uint16_t)(64 * w + set_take(&bits));
    return count;
}

/* Which of the links that share an output port has its turn: requested, and with a credit. */
static uint32_t turn_of_port(struct crossbar *crossbar, uint32_t index, uint64_t n, hd_time t)
{
    const uint32_t sharing = crossbar->outputs_per_port;
    if (sharing == 1)
        return crossbar_has_credit(crossbar, index, n, t) ? index : UINT32_MAX;
    const uint32_t port = crossbar->outputs[index].port;
    const uint32_t first = crossbar->ports[port].next_element;
    for (uint32_t i = 0; i < sharing; i++) {
        const uint32_t place = (first + i) % sharing;
        const uint32_t element = crossbar->is_strided ? port + place * crossbar->output_stride : port * sharing + place;
        if (element < crossbar->output_count && set_has(&crossbar->requested, element) &&
            (crossbar->asking || !set_has(&crossbar->blocked, element)) && crossbar_has_credit(crossbar, element, n, t))
            return element;
    }
    return UINT32_MAX;
}

static void pass_turn_of_port(struct crossbar *crossbar, uint32_t index)
{
    const uint32_t sharing = crossbar->outputs_per_port;
    if (sharing == 1)
        return;
    const uint32_t place = crossbar->is_strided ? index / crossbar->output_stride : index % sharing;
    crossbar->ports[crossbar->outputs[index].port].next_element = (place + 1) % sharing;
}

static void grant_in_turn(struct crossbar *crossbar, uint32_t index, uint32_t winner, uint64_t n, hd_time t)
{
    struct input *input = &crossbar->inputs[winner];
    const uint32_t queue = set_turn_of_word(input->wants[index], input->turn);
    input->turn = queue + 1;
    pass_turn_of_port(crossbar, index);
    crossbar_grant(crossbar, index, winner, queue, n, t);
}

/* When the outputs that still have requests can grant again. */
static void find_grant_edge(struct crossbar *crossbar, uint64_t n)
{
    crossbar->grant_edge = UINT64_MAX;
    for (uint32_t w = 0; w < crossbar->output_words; w++)
        for (uint64_t bits = crossbar->requested.word[w] & ~crossbar->blocked.word[w]; bits;) {
            const uint64_t edge = crossbar->ports[crossbar->outputs[64 * w + set_take(&bits)].port].free_edge;
            crossbar->grant_edge = hd_earlier(crossbar->grant_edge, edge > n ? edge : n + 1);
        }
}

/* The port of an output is free: the output whose turn it is, or another one there, takes a packet. */
static uint32_t serve(struct crossbar *crossbar, uint32_t asked, uint64_t n, hd_time t)
{
    const uint32_t index = turn_of_port(crossbar, asked, n, t);
    if (index == UINT32_MAX)
        return 0;
    struct output *output = &crossbar->outputs[index];
    const uint32_t winner = set_turn(&output->requests, crossbar->element_words, output->next_input);
    output->next_input = (winner + 1) % CROSSBAR_ELEMENTS;
    grant_in_turn(crossbar, index, winner, n, t);
    return 1;
}

/* Outputs of one word choose one after another, each among the inputs that those before left. */
static uint32_t serve_word(struct crossbar *crossbar, uint32_t w, uint64_t among, uint64_t n, hd_time t)
{
    uint32_t granted = 0;
    for (uint64_t bits = crossbar->requested.word[w] & among; bits;) {
        const uint32_t index = 64 * w + set_take(&bits);
        if ((crossbar->asking || !set_has(&crossbar->blocked, index)) && set_has(&crossbar->requested, index) &&
            crossbar->ports[crossbar->outputs[index].port].free_edge <= n)
            granted += serve(crossbar, index, n, t);
    }
    return granted;
}

/* All of them, in turn from first_output on. */
static uint32_t round_robin_pass(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    const uint32_t first = crossbar->first_output / 64;
    const uint64_t before = (UINT64_C(1) << crossbar->first_output % 64) - 1;
    uint32_t granted = serve_word(crossbar, first, ~before, n, t);
    for (uint32_t w = first + 1; w < crossbar->output_words; w++)
        granted += serve_word(crossbar, w, UINT64_MAX, n, t);
    for (uint32_t w = 0; w < first; w++)
        granted += serve_word(crossbar, w, UINT64_MAX, n, t);
    return before ? granted + serve_word(crossbar, first, before, n, t) : granted;
}

void crossbar_round_robin(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    uint32_t granted = 1;
    for (uint32_t pass = 0; granted && pass < crossbar->speedup; pass++)
        granted = round_robin_pass(crossbar, n, t);
    if (crossbar->takes_turns && ++crossbar->first_output >= crossbar->output_count)
        crossbar->first_output = 0;
    find_grant_edge(crossbar, n);
}

/* Each free output offers itself to the input whose turn it is. */
static uint32_t offer(struct crossbar *crossbar, set *offered, uint64_t n, hd_time t)
{
    uint16_t outputs[CROSSBAR_ELEMENTS];
    uint32_t offers = 0;
    const uint32_t count = candidates(crossbar, outputs);
    for (uint32_t i = 0; i < count; i++) {
        const struct output *output = &crossbar->outputs[outputs[i]];
        if (crossbar->ports[output->port].free_edge > n || turn_of_port(crossbar, outputs[i], n, t) != outputs[i])
            continue;
        const uint32_t input = set_turn(&output->requests, crossbar->element_words, output->next_input);
        set_add(&crossbar->inputs[input].grants, outputs[i]);
        set_add(offered, input);
        offers++;
    }
    return offers;
}

/* Each input takes one of its offers. Turns move on where the first iteration matches: McKeown 1999 §III. */
static void accept(struct crossbar *crossbar, uint32_t index, uint32_t moves_turns, uint64_t n, hd_time t)
{
    struct input *input = &crossbar->inputs[index];
    const uint32_t output = set_turn(&input->grants, crossbar->output_words, input->accept);
    input->grants = (set){{0}};
    if (crossbar->ports[crossbar->outputs[output].port].free_edge > n) /* taken along by a multicast */
        return;
    if (moves_turns) {
        crossbar->outputs[output].next_input = (index + 1) % CROSSBAR_ELEMENTS;
        input->accept = (output + 1) % CROSSBAR_ELEMENTS;
    }
    grant_in_turn(crossbar, output, index, n, t);
}

void crossbar_islip(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    for (uint32_t iteration = 0; iteration < crossbar->iterations; iteration++) {
        set offered = {{0}};
        if (!offer(crossbar, &offered, n, t))
            break;
        for (uint32_t w = 0; w < crossbar->element_words; w++)
            for (uint64_t bits = offered.word[w]; bits;)
                accept(crossbar, 64 * w + set_take(&bits), iteration == 0, n, t);
    }
    find_grant_edge(crossbar, n);
}

/* A packet that could go. */
struct choice {
    uint32_t output, input, queue;
    hd_time arrival; /* HD_NEVER: there is none */
};

/* Of the packets for an output, the one that has waited longest; of those, of the lowest input. */
static struct choice oldest_for(struct crossbar *crossbar, uint32_t output)
{
    struct choice oldest = {.output = output, .arrival = HD_NEVER};
    for (uint32_t w = 0; w < crossbar->element_words; w++)
        for (uint64_t inputs = crossbar->outputs[output].requests.word[w]; inputs;) {
            const uint32_t input = 64 * w + set_take(&inputs);
            for (uint64_t queues = crossbar->inputs[input].wants[output]; queues;) {
                const uint32_t queue = set_take(&queues);
                const hd_time arrival = crossbar_entry(crossbar, input, queue, output)->arrival;
                if (arrival < oldest.arrival)
                    oldest = (struct choice){output, input, queue, arrival};
            }
        }
    return oldest;
}

static void grant_choice(struct crossbar *crossbar, const struct choice *choice, uint64_t n, hd_time t)
{
    crossbar_grant(crossbar, choice->output, choice->input, choice->queue, n, t);
}

/* Inputs have packets for several outputs: the oldest of all goes first. */
static void ideal_over_outputs(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    for (;;) {
        uint16_t outputs[CROSSBAR_ELEMENTS];
        struct choice oldest = {.arrival = HD_NEVER};
        const uint32_t count = candidates(crossbar, outputs);
        for (uint32_t i = 0; i < count; i++) {
            const struct choice choice = oldest_for(crossbar, outputs[i]);
            if (choice.arrival < oldest.arrival && crossbar_has_credit(crossbar, outputs[i], n, t))
                oldest = choice;
        }
        if (oldest.arrival == HD_NEVER)
            return;
        grant_choice(crossbar, &oldest, n, t);
    }
}

static void ideal_by_output(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    uint16_t outputs[CROSSBAR_ELEMENTS];
    const uint32_t count = candidates(crossbar, outputs);
    for (uint32_t i = 0; i < count; i++)
        while (set_has(&crossbar->requested, outputs[i]) && crossbar_has_credit(crossbar, outputs[i], n, t)) {
            const struct choice oldest = oldest_for(crossbar, outputs[i]);
            grant_choice(crossbar, &oldest, n, t);
        }
}

/* An output takes whatever comes; only the credits of its receiver are shared, the oldest first. */
void crossbar_ideal(struct crossbar *crossbar, uint64_t n, hd_time t)
{
    if (crossbar->takes_turns)
        ideal_over_outputs(crossbar, n, t);
    else
        ideal_by_output(crossbar, n, t);
    find_grant_edge(crossbar, n);
}

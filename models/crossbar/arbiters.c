/* SPDX-License-Identifier: MIT */
#include "state.h"

static uint32_t next_in_turn(uint64_t requests, uint32_t first)
{
    const uint64_t from_first = requests & (~UINT64_C(0) << first);
    return (uint32_t)__builtin_ctzll(from_first ? from_first : requests);
}

/* An output moves one flit in a cycle, and serves its inputs in turn. */
void crossbar_round_robin(struct crossbar *crossbar, uint64_t n, hd_time t, uint64_t outputs)
{
    crossbar->grant_edge = UINT64_MAX;
    for (uint64_t set = outputs; set; set &= set - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(set);
        struct output *output = &crossbar->outputs[index];
        if (output->free_edge <= n) {
            if (!crossbar_has_credit(crossbar, index, n, t))
                continue;
            const uint32_t winner = next_in_turn(output->requests, output->next_input);
            crossbar_grant(crossbar, index, winner, n, t);
            output->free_edge = n + crossbar->inputs[winner].flits;
            output->next_input = (winner + 1) % CROSSBAR_PORTS;
        }
        if (output->requests && output->free_edge < crossbar->grant_edge)
            crossbar->grant_edge = output->free_edge;
    }
}

static uint32_t oldest(const struct crossbar *crossbar, uint64_t requests)
{
    uint32_t winner = (uint32_t)__builtin_ctzll(requests);
    for (uint64_t set = requests & (requests - 1); set; set &= set - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(set);
        if (crossbar->inputs[index].arrival < crossbar->inputs[winner].arrival)
            winner = index;
    }
    return winner;
}

/* An output takes whatever comes; only the credits of its receiver are shared, the oldest first. */
void crossbar_ideal(struct crossbar *crossbar, uint64_t n, hd_time t, uint64_t outputs)
{
    crossbar->grant_edge = UINT64_MAX;
    for (uint64_t set = outputs; set; set &= set - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(set);
        const struct output *output = &crossbar->outputs[index];
        while (output->requests && crossbar_has_credit(crossbar, index, n, t))
            crossbar_grant(crossbar, index, oldest(crossbar, output->requests), n, t);
    }
}

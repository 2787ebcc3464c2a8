/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "state.h"

static uint32_t has_work(hd_block *block)
{
    const struct crossbar *crossbar = (const struct crossbar *)block;
    const hd_services *services = crossbar->services;
    if (crossbar->heads || crossbar->flying)
        return 1;
    for (uint64_t set = crossbar->inputs_bound; set; set &= set - 1) {
        const struct input *input = &crossbar->inputs[__builtin_ctzll(set)];
        if (services->arrival(services->context, input->link) != HD_NEVER)
            return 1;
    }
    return 0;
}

static void describe(hd_block *block, const hd_text_sink *sink)
{
    const struct crossbar *crossbar = (const struct crossbar *)block;
    for (uint64_t set = crossbar->requested; set; set &= set - 1) {
        const uint32_t index = (uint32_t)__builtin_ctzll(set);
        const struct output *output = &crossbar->outputs[index];
        sink->line(sink->context, "output %" PRIu32 " %s, wanted by %d inputs (set %#" PRIx64 ")", index,
                   output->blocked_since == UINT64_MAX ? "busy" : "waits for a credit",
                   __builtin_popcountll(output->requests), output->requests);
    }
}

static void align(hd_block *block, hd_time t, const hd_write_back_sink *sink)
{
    struct crossbar *crossbar = (struct crossbar *)block;
    (void)t;
    (void)sink;
    for (uint32_t i = 0; i < CROSSBAR_PORTS; i++)
        crossbar->outputs[i].next_input = 0;
}

static void mark(hd_block *block)
{
    ((struct crossbar *)block)->statistics[STATISTIC_CONTENTION_MAXIMUM] = 0;
}

const void *crossbar_extension(hd_block *block, const char *id)
{
    static const hd_pending pending = {has_work, describe};
    static const hd_align alignment = {align};
    static const hd_mark marking = {mark};
    (void)block;
    return hd_ability(id, &pending, &alignment, &marking);
}

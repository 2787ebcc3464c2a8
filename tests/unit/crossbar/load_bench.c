/* SPDX-License-Identifier: MIT */
#include "load_bench.h"

/* Packets come into being by chance, in each cycle of each input; those that find no room wait outside. */
static void put_all(kit_block *kit, const load *load, uint64_t *random)
{
    const uint32_t chance = load->offered / load->flits;
    for (uint32_t i = 0; i < load->inputs; i++) {
        if (load->offered >= LOAD_SATURATED) {
            for (uint32_t n = 0; n < 2 * load->cycles / load->flits; n++)
                put(kit, i, (uint32_t)(kit_random(random) % load->outputs), load->flits * FLIT, 0, 0);
            continue;
        }
        for (uint64_t n = 0; n < 2 * load->cycles; n++)
            if (kit_random(random) % 1000 < chance)
                put(kit, i, (uint32_t)(kit_random(random) % load->outputs), load->flits * FLIT, n, n * CYCLE);
    }
}

load_result load_run(const load *load)
{
    kit_block *kit = make_of(load->type, load->parameters, load->inputs, load->outputs, 16);
    uint64_t random = load->seed;
    put_all(kit, load, &random);
    kit_run_until(kit, 2 * (hd_time)load->cycles * CYCLE);
    uint32_t count, measured = 0;
    uint64_t cycles = 0;
    const kit_event *events = kit_trace(kit, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (events[i].t < (hd_time)load->cycles * CYCLE)
            continue;
        measured++;
        cycles += events[i].t / CYCLE - events[i].packet.tag;
    }
    kit_destroy(kit);
    return (load_result){.carried = (double)measured * load->flits / load->cycles / load->inputs,
                         .latency = measured ? (double)cycles / measured : 0};
}

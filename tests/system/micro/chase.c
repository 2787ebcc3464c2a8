/* SPDX-License-Identifier: MIT */
#include "chase.h"

#include <stdlib.h>

#include "micro_chain/args.h"
#include "path.h"

hd_machine *chase_run(const char *netlist, const chase *chase, const char *change)
{
    const micro_setup setup = {.netlist = netlist,
                               .app = "micro_chain",
                               .changes = {"dram.trefi=0 s",
                                           chase->kind == L1_HIT ? "core.l1.global=cache" : "core.l1.global=bypass",
                                           change ? change : chase->also, change ? chase->also : NULL},
                               .options = {{"step", chase->step},
                                           {"length", chase->length},
                                           {"warm", chase->warm},
                                           {"scratchpad", chase->kind == SCRATCHPAD ? "1" : "0"}}};
    return micro_run(&setup);
}

uint64_t chase_measured(const hd_machine *machine)
{
    return micro_report(machine, "end") - micro_report(machine, "begin");
}

/* What the 32 loads should take, in core cycles between the two readings of the counter. */
uint64_t chase_expected(const chase *chase, const hd_machine *machine)
{
    path *p = path_new(machine);
    const uint64_t begin = micro_report(machine, "begin"), start = micro_report(machine, "start");
    const uint64_t step = strtoull(chase->step, NULL, 10);
    const uint32_t sector = (uint32_t)micro_parameter(machine, "core", "memory.sector");
    const hd_clock core = micro_clock(machine, "core");
    const uint64_t counted_from = hd_clock_index_at_or_after(core, micro_kernel_begin(machine));
    const uint64_t first = counted_from + begin;
    uint64_t edge = first + path_next_issue(p);
    for (uint64_t i = 0; i < MICRO_CHAIN_TIMED; i++) {
        switch (chase->kind) {
        case SCRATCHPAD: edge = path_scratchpad(p, edge, 1); break;
        case L1_HIT: edge = path_l1_hit(p, edge, 1); break;
        case L2_HIT: edge = path_l2_hit(p, edge, sector); break;
        case L2_MISS: edge = path_l2_miss(p, edge, start + i * step, sector); break;
        }
    }
    const uint64_t last = edge + path_next_issue(p);
    path_free(p);
    return last - first;
}

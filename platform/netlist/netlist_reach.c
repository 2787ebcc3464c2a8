/* SPDX-License-Identifier: MIT */
/*
 * How soon what a block does reaches another: by its quickest link. While it has work, no other block is simulated further ahead
 * of it than that (docs/performance.md), so a link that is much shorter than the others slows all of them down.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "show.h"
#include "table.h"

typedef struct block_reach {
    hd_time time; /* HD_NEVER: nothing that it does reaches another */
    uint32_t block;
    uint32_t link;
    const char *what; /* that takes so long */
} block_reach;

static void take(block_reach *reach, uint32_t link, hd_time time, const char *what)
{
    if (!time || time >= reach->time) /* 0: the link has no such channel */
        return;
    reach->time = time;
    reach->link = link;
    reach->what = what;
}

static block_reach reach_of(const netlist *machine, uint32_t block)
{
    block_reach reach = {.time = HD_NEVER, .block = block};
    for (uint32_t i = 0; i < machine->link_count; i++) {
        const netlist_link *link = &machine->links[i];
        if (link->from.block == block) {
            take(&reach, i, link->forward.latency, "latency");
            take(&reach, i, link->response.credit_latency, "response_credit_latency");
        }
        if (link->to.block == block) {
            take(&reach, i, link->response.latency, "response_latency");
            take(&reach, i, link->forward.credit_latency, "credit_latency");
        }
    }
    return reach;
}

static int by_time(const void *a, const void *b)
{
    const block_reach *left = a, *right = b;
    if (left->time != right->time)
        return left->time < right->time ? -1 : 1;
    return left->block < right->block ? -1 : left->block > right->block;
}

void netlist_print_reach(const netlist *machine, arena *memory, FILE *out)
{
    block_reach *reaches = arena_alloc(memory, machine->block_count * sizeof *reaches);
    table rows = {.memory = memory, .columns = 4};
    for (uint32_t b = 0; b < machine->block_count; b++)
        reaches[b] = reach_of(machine, b);
    qsort(reaches, machine->block_count, sizeof *reaches, by_time);
    for (uint32_t b = 0; b < machine->block_count && reaches[b].time != HD_NEVER; b++) {
        const netlist_link *link = &machine->links[reaches[b].link];
        char from[NETLIST_SHOWN_BYTES], to[NETLIST_SHOWN_BYTES];
        netlist_print_end(machine, link->from, from, sizeof from);
        netlist_print_end(machine, link->to, to, sizeof to);
        TABLE_ROW(&rows, arena_format(memory, "%" PRIu64 " ps", reaches[b].time),
                  machine->blocks[reaches[b].block].name, reaches[b].what, arena_format(memory, "%s -> %s", from, to));
    }
    table_write(&rows, "how soon the work of a block reaches another; the shortest bound the simulator's windows",
                "    ", TEXT_PLAIN, out);
}

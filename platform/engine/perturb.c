/* SPDX-License-Identifier: MIT */
/* Packets that are late by chance. Later than promised is always allowed: windows are as wide as the latencies of the links. */
#include "engine_internal.h"

#include <stdio.h>
#include <stdlib.h>

void hd_engine_perturb(hd_engine *engine, uint64_t seed, hd_time delay)
{
    engine->perturb_seed = seed;
    engine->perturb_delay = delay;
}

void perturb_link(hd_link *link)
{
    const node *receiver = link->receiver ? link->receiver : link->sender;
    const hd_clock clock = receiver->services.clock;
    const uint64_t cycles = (uint64_t)((hd_u128)link->engine->perturb_delay * clock.hz / HD_PS_PER_SECOND);
    link->lateness = aligned_zero(sizeof *link->lateness);
    link->lateness->clock = clock;
    link->lateness->longest = cycles ? cycles : 1;
}

/* "l2[3].reply[0]" */
static void print_name(const hd_link *link, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s.%s[%u]", link->sender->name, link->sender->block_class->ports[link->from.port].name,
             link->from.element);
}

void perturb_begin(hd_engine *engine)
{
    uint64_t mix = engine->perturb_seed;
    const uint64_t seed = splitmix_next(&mix) + engine->alignments; /* neighbouring seeds lie far apart */
    for (uint32_t i = 0; engine->perturb_seed && i < engine->link_count; i++) {
        hd_link *link = engine->links[i];
        char name[4 * HD_NAME_MAX];
        if (!link->lateness)
            continue;
        print_name(link, name, sizeof name);
        random_seed(link->lateness->random, seed, name); /* what is under way is not overtaken even so */
    }
}

/* 0 cycles to the longest, one as likely as another. */
static hd_time draw(link_lateness *of)
{
    return hd_clock_cycles(of->clock, (uint64_t)(((hd_u128)random_next(of->random) * (of->longest + 1)) >> 64));
}

hd_time perturb_next(hd_link *link, hd_time arrival)
{
    link_lateness *of = link->lateness;
    const hd_time drawn = arrival + draw(of);
    of->last_arrival = drawn > of->last_arrival ? drawn : of->last_arrival;
    return of->last_arrival - arrival;
}

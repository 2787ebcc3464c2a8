/* SPDX-License-Identifier: MIT */
/* Where a program spends the last of its time. Nothing is counted before, so that it costs nothing. */
#include "beside.h"

#include <time.h>

#define PLACES 5u
#define SECONDS 0.5

/* Long enough for every warp to get its turn, short beside what comes before. */
static hd_time length(const netlist *list)
{
    return hd_earlier(list->watchdog / 16, list->limit / 8);
}

hd_time hot_places_from(const hd_machine *machine)
{
    if (machine->module == HD_NO_MODULE)
        return HD_NEVER;
    return machine->netlist->limit - length(machine->netlist);
}

void hot_places_begin(hd_machine *machine)
{
    if (machine->module == HD_NO_MODULE || machine->profile || machine->hot_places)
        return;
    machine->hot_since = machine->time;
    machine->hot_places = beside_profile(machine);
}

double hot_places_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint32_t hot_places_go_on(const hd_machine *machine, double began)
{
    return machine->hot_places && machine->time - machine->hot_since < length(machine->netlist) &&
           hot_places_clock() - began < SECONDS;
}

static void add_place(hd_text *text, const hd_hot_place *place, uint64_t all)
{
    char at[192];
    isa_program_place(place->program, place->pc, at, sizeof at);
    hd_text_add(text, "\n  %5.1f%%  at pc %s", 100.0 * (double)place->instructions / (double)all, at);
}

void hot_places_describe(const hd_machine *machine, hd_text *text)
{
    const hd_program_profile *profile = machine->profile ? machine->profile : machine->hot_places;
    hd_hot_place places[PLACES];
    uint64_t all = 0;
    const uint32_t count = profile ? hd_program_profile_hottest(profile, places, PLACES, &all) : 0;
    if (!count)
        return;
    hd_text_add(text, "\n  of all warp instructions");
    if (machine->hot_places)
        hd_text_add(text, " since %llu ns", (unsigned long long)(machine->hot_since / 1000));
    hd_text_add(text, " were issued");
    for (uint32_t i = 0; i < count; i++)
        add_place(text, &places[i], all);
}

/* SPDX-License-Identifier: MIT */
/*
 * What a machine can do at most, by the formulas of docs/machines.md, from its resolved netlist. Bandwidths are of payload,
 * unloaded latencies are from the issue of a load to that of what needs its value.
 */
#ifndef MICRO_FIGURES_H
#define MICRO_FIGURES_H

#include "micro.h"

enum figure {
    FIGURE_IPC,             /* warp instructions in a core cycle, all cores */
    FIGURE_THREADS,         /* thread instructions in a second */
    FIGURE_SCRATCHPAD,      /* bytes in a second, from here on */
    FIGURE_L1,              /* */
    FIGURE_NETWORK_OUT,     /* of all flits, from the cores to the slices */
    FIGURE_NETWORK_IN,      /* likewise, back */
    FIGURE_L2,              /* lines that all slices and both networks can deliver */
    FIGURE_L2_WRITES,       /* lines that they can take */
    FIGURE_DRAM,            /* data bus of all channels */
    FIGURE_DRAM_READS,      /* lines of rows that are open, between refreshes */
    FIGURE_SCRATCHPAD_LOAD, /* core cycles, from here on: of a load alone */
    FIGURE_L1_LOAD,
    FIGURE_L2_LOAD,
    FIGURE_DRAM_LOAD, /* of a miss in the L2 that finds another row open */
    FIGURE_COUNT
};

extern const char *const figure_names[FIGURE_COUNT];

/* All but the latencies. */
void figures_of(const hd_machine *machine, double figures[FIGURE_COUNT]);

#endif

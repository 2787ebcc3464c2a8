/* SPDX-License-Identifier: MIT */
/* What a machine does, measured by small programs and generated traffic. Units as in figures.h; 0 = not measured. */
#ifndef MICRO_MEASURED_H
#define MICRO_MEASURED_H

#include "figures.h"

/* machine: that netlist, opened. Latencies: also what path.h says, which must be the same; asserted. */
void measure_latencies(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT]);
/* Cores: one of them, times their number. Memory: all generators against all slices or channels. */
void measure_rates(const char *netlist, const hd_machine *machine, double measured[FIGURE_COUNT]);

/* Reads of the L2 where no packet waits behind another for another output. */
double measure_l2_without_contention(const char *netlist, const hd_machine *machine);

/* Bytes that generators read and wrote in a second. changes: at least what makes cores generators; NULL at the end. */
double measure_traffic(const char *netlist, const char *const *changes);

#endif

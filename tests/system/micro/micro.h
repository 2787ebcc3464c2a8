/* SPDX-License-Identifier: MIT */
/* Runs of a small app on the standard machine with some parameters changed, and what the netlist says about them. */
#ifndef MICRO_H
#define MICRO_H

#include <stdint.h>

#include "machine.h"

#define MICRO_CHANGES 16 /* entries, the NULL included */

/* What a run differs in: "path=value" for the machine, and options of the app. Both lists end with NULL. */
typedef struct micro_setup {
    const char *netlist; /* path; NULL: the standard machine */
    const char *app;     /* one of apps; or a whole path, of an app that runs with all that the machine has */
    const char *changes[MICRO_CHANGES];
    hd_host_option options[MICRO_CHANGES];
} micro_setup;

/* Runs to the PASS that is asserted; close with hd_machine_close. */
hd_machine *micro_run(const micro_setup *setup);

/* The last value that the host program gave to hd_report. */
uint64_t micro_report(const hd_machine *machine, const char *name);
/* When the only kernel began: a common edge of all clocks, at which its cycle counters are 0. */
hd_time micro_kernel_begin(const hd_machine *machine);

const netlist_block *micro_block(const hd_machine *machine, const char *name);
/* A parameter of a block: its number, or the index of its choice. */
uint64_t micro_parameter(const hd_machine *machine, const char *block, const char *parameter);
/* One that is a text. */
const char *micro_text(const hd_machine *machine, const char *block, const char *parameter);
hd_clock micro_clock(const hd_machine *machine, const char *block);
/* The first link between two blocks, from `from`. */
const netlist_link *micro_link(const hd_machine *machine, const char *from, const char *to);

#endif

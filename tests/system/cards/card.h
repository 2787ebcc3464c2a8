/* SPDX-License-Identifier: MIT */
/* A machine that stands for a product, and runs of small programs on it. */
#ifndef CARDS_CARD_H
#define CARDS_CARD_H

#include "micro.h"

typedef struct card {
    const char *name;
    char path[512];
    hd_machine *machine; /* opened, for its parameters */
} card;

/* Close it. */
void card_open(card *of, const char *folder, const char *name);
void card_close(card *of);

/* A run of an app (micro_...) with these changes of the machine and options of the app; NULL ends both. Close it. */
hd_machine *card_run(const card *of, const char *app, const char *const *changes, const hd_host_option *options);

/* Core cycles of all launches of a run. */
double card_launch_cycles(const hd_machine *machine);

/* A parameter; the number of a block's instances; the frequency of its clock. */
double card_value(const card *of, const char *block, const char *parameter);
double card_count(const card *of, const char *block);
double card_hertz(const card *of, const char *block);
/* Threads that a core holds, in blocks of 256, with 4 of scratchpad each if need be. */
double card_threads(const card *of);

/* Core cycles that more of the same takes: those of a run with `long_value` for the option, less those with `short_value`. The
 * other options and the changes are those of both. */
double card_more_cycles(const card *of, const char *app, const char *const *changes, const hd_host_option *options,
                        const char *option, const char *short_value, const char *long_value);

#endif

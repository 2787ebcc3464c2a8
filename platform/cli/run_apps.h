/* SPDX-License-Identifier: MIT */
/* The apps of `heddle run`: APP, whose options are app.NAME, and those of --with, app2.NAME and so on. */
#ifndef HD_RUN_APPS_H
#define HD_RUN_APPS_H

#include "app_options.h"
#include "machine.h"

typedef struct run_app {
    char *folder;
    hd_host_option *options; /* as given */
    uint32_t option_count;
    app_options read;
} run_app;

typedef struct run_apps {
    run_app items[HD_HOST_PROGRAMS_MAX];
    uint32_t count;
    char *texts; /* of the options */
    hd_machine_app with[HD_HOST_PROGRAMS_MAX];
} run_apps;

/* Takes the options of apps out of the words of --set; the others go to `overrides`, which has room for all. Returns HD_EXIT_PASS,
 * or HD_EXIT_USAGE after it has said why. All that follow do likewise. */
int run_apps_share(run_apps *apps, const char *const *sets, size_t set_count, const char **overrides,
                   size_t *override_count);
/* first: NULL, if there is no app. */
int run_apps_find(run_apps *apps, const char *first, const char *const *with, size_t with_count);
/* Checks the options against what the apps declare, and has the machine run the apps. */
int run_apps_read(run_apps *apps, hd_machine_setup *machine);
void run_apps_free(run_apps *apps);

#endif

/* SPDX-License-Identifier: MIT */
/* The options that an app declares in its app.yaml, and those given. */
#ifndef HD_APP_OPTIONS_H
#define HD_APP_OPTIONS_H

#include <stdio.h>

#include "arena.h"
#include "host.h"

typedef struct app_options {
    arena memory;
    hd_host_option *inputs; /* every option of the app: as given, as its variant says, or its default */
    uint32_t count;
    hd_host_option *given; /* for the program: as given, with those of a variant in place of its name */
    uint32_t given_count;
} app_options;

/* Checks what is given against folder/app.yaml, if there is one. 0 = done; else `out` says why not. */
int app_options_read(app_options *options, FILE *out, const char *folder, const hd_host_option *given,
                     uint32_t given_count);
void app_options_free(app_options *options);

#endif

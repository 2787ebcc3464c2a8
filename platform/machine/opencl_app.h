/* SPDX-License-Identifier: MIT */
/* An app that is an OpenCL program: the key `opencl` of its app.yaml. docs/opencl.md has its keys. */
#ifndef HD_OPENCL_APP_H
#define HD_OPENCL_APP_H

#include "host.h"
#include "yaml_tree.h"

#define HD_OPENCL_APP_KEY "opencl"
#define HD_OPENCL_TIMEOUT_MAX 604800u /* s: a week */

typedef struct hd_opencl_app {
    const char **words; /* the program and its arguments, where {OPTION} stands for the value of an option */
    uint32_t word_count;
    const char **inputs; /* files that the results depend on, from the folder of the app */
    uint32_t input_count;
    const char *prints; /* what its output has if all is well; NULL: anything */
    uint32_t exit_code; /* if all is well */
    uint32_t timeout;   /* s of the host; 0: it may take any time */
} hd_opencl_app;

/* value: that of the key; options: a mapping, or NULL. NULL after a report. */
const hd_opencl_app *hd_opencl_app_read(arena *memory, diagnostics *log, const node *value, const node *options);

/* The words with the values of options in their places, NULL at the end. */
const char **hd_opencl_app_words(arena *memory, const hd_opencl_app *app, const hd_host_option *inputs, uint32_t count);

/* The file of the program, to be freed: from the folder of the app if it has a '/', else from PATH. NULL: there is none. */
char *hd_opencl_app_program(const hd_opencl_app *app, const char *folder);

/* Does the app.yaml of that folder have the key? Without parsing it. */
int hd_opencl_app_is_at(const char *folder);

#endif

/* SPDX-License-Identifier: MIT */
/* A host program as its runtime knows it: what it runs with, and the launches it has made. */
#ifndef HEDDLE_HOST_PROGRAM_H
#define HEDDLE_HOST_PROGRAM_H

#include <stdint.h>

#include "hd_host.h"

#ifdef __cplusplus
extern "C" {
#endif

struct isa_program;

/* What hd_option reads. Returns 0 if the text is no such number. */
#define HD_HOST_NUMBER_FORM "a number such as 8000, 0x1F40, 8K or 8 KiB"
uint32_t hd_host_number(const char *text, uint64_t *value);

typedef struct hd_host_program {
    int (*entry)(void);                /* hd_app_main */
    const struct isa_program *kernels; /* loaded into device memory before entry is called; NULL: none */
    uint32_t module;                   /* number of `kernels` in heddle.programs/1 */
    uint32_t option_count;
    const hd_host_option *options;
    /* A line from hd_print, without newline; called on the program's thread while the simulator waits. May be NULL. */
    void (*print)(void *context, const char *line);
    /* Native programs: asked now and then while the program computes; 1: it is not waited for any longer. May be NULL. */
    uint32_t (*is_interrupted)(void *context);
    void *context;
    const char *name; /* among several programs on one device; NULL: there is one */
} hd_host_program;

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* Reads a value change dump (IEEE 1364-2001 §18), and holds it against the rules: scopes are closed, identifiers declared, and
 * each once; first values for all but events; times increase; each change is of a declared signal, of its type. */
#ifndef SYSTEM_VCD_READER_H
#define SYSTEM_VCD_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct vcd_signal {
    char *path; /* "core/core[3]/warps" */
    char code[16];
    int is_event;
    size_t changes; /* without the first value */
    uint64_t last;  /* value */
    int is_floating;
} vcd_signal;

typedef struct vcd_dump {
    vcd_signal *signals;
    size_t signal_count;
    uint64_t end; /* last time */
} vcd_dump;

vcd_dump vcd_read(const char *path);
void vcd_free(vcd_dump *dump);
/* NULL: none of that path. */
const vcd_signal *vcd_find(const vcd_dump *dump, const char *path);

#endif

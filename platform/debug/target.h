/* SPDX-License-Identifier: MIT */
/* What a session shows to gdb: threads with registers, and memory as they see it. Threads have numbers from 1 on. */
#ifndef HD_DEBUG_TARGET_H
#define HD_DEBUG_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* A thread that is always there: what it does is what any of them does. */
#define TARGET_ANY UINT64_C(1)

typedef struct target_register {
    const char *name;
    const char *feature; /* those of one feature follow each other */
    const char *type;    /* as gdb names it */
    uint32_t bytes;      /* 4 or 8 */
    uint32_t number;     /* for the target's functions */
} target_register;

typedef struct debug_target {
    void *context;
    const char *architecture; /* as gdb names it */
    const target_register *registers;
    uint32_t register_count;
    uint32_t watches; /* 1: it says what instructions access, so there can be watchpoints */

    /* The one after this one, 0 before the first; 0: there is none. One that gdb has named may be there and not be listed. */
    uint64_t (*next_thread)(void *context, uint64_t after);
    uint32_t (*is_alive)(void *context, uint64_t thread);
    void (*describe)(void *context, uint64_t thread, char *text, size_t bytes);
    /* Threads are stopped, this one for a reason. */
    void (*stopped)(void *context, uint64_t thread);
    uint32_t (*read_register)(void *context, uint64_t thread, uint32_t number, uint64_t *value); /* 0: not known */
    uint32_t (*write_register)(void *context, uint64_t thread, uint32_t number, uint64_t value); /* 0: not possible */
    /* Return how many bytes, from address on. */
    uint32_t (*read_memory)(void *context, uint64_t thread, uint64_t address, void *data, uint32_t bytes);
    uint32_t (*write_memory)(void *context, uint64_t thread, uint64_t address, const void *data, uint32_t bytes);
    /* `monitor` commands: the answer, lines that end in \n. */
    void (*command)(void *context, const char *words, char *answer, size_t bytes);
} debug_target;

#endif

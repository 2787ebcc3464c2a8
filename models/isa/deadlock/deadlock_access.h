/* SPDX-License-Identifier: MIT */
/* Where accesses to memory go, as far as the code tells, and whether those of two lanes may meet. */
#ifndef ISA_DEADLOCK_ACCESS_H
#define ISA_DEADLOCK_ACCESS_H

#include "deadlock_graph.h"
#include "synchronization.h"

/* What an address starts from */
enum deadlock_root_kind {
    DEADLOCK_ROOT_ANY,       /* not known, or read from memory that changes */
    DEADLOCK_ROOT_STACK,     /* the thread's own memory */
    DEADLOCK_ROOT_ARGUMENTS, /* the argument block itself, which nobody writes */
    DEADLOCK_ROOT_ARGUMENT,  /* number: what the word of the argument block at this offset points to */
    DEADLOCK_ROOT_PARAMETER, /* number: what this register points to when the function is entered */
    DEADLOCK_ROOT_FIXED      /* number: an address in the code */
};

typedef struct deadlock_root {
    uint32_t kind;
    uint32_t number;
    int32_t offset; /* constant part of what is added to it */
    uint32_t
        index; /* what else is added may differ from lane to lane, and is a multiple of the lowest bit of this; 0: nothing */
} deadlock_root;

#define DEADLOCK_ROOTS_MAX 8u

typedef struct deadlock_access {
    uint32_t node;
    uint32_t is_known; /* has been looked at */
    uint32_t root_count;
    deadlock_root roots[DEADLOCK_ROOTS_MAX];
    const char *lock; /* name that the source gives it; NULL */
} deadlock_access;

/* Where a load or store goes, as far as registers tell. */
enum deadlock_place { DEADLOCK_ELSEWHERE, DEADLOCK_BY_POINTER, DEADLOCK_IN_STACK, DEADLOCK_AT_SLOT };

typedef struct deadlock_slot {
    uint32_t place; /* BY_POINTER: its address was in memory; IN_STACK: not known where */
    int32_t offset; /* AT_SLOT: from the stack pointer that the function is entered with */
} deadlock_slot;

#define DEADLOCK_STACK_ESCAPES 0x80u /* in function_notes: an address of its stack is in memory */

typedef struct deadlock_memory {
    deadlock_graph *graph;
    const isa_deadlock_options *options;
    deadlock_access *accesses; /* [count] by place */
    uint32_t *place;           /* [graph->count] */
    uint32_t *seen;            /* [graph->count]: number of the last walk for the stack that was here, */
    uint32_t *left;            /* [graph->count]: and where that has to go on */
    uint32_t walk;
    deadlock_slot *slots;    /* [graph->count], of loads and stores */
    uint32_t depth;          /* of accesses that are being looked at, each for the sake of the one before */
    uint8_t *is_kernel;      /* [graph->count]: a launch starts here, and no call: a0 is the argument block */
    uint8_t *function_notes; /* [graph->count]: ISA_FUNCTION_* of the function that the node is in */
} deadlock_memory;

int deadlock_memory_open(deadlock_memory *memory, deadlock_graph *graph, const isa_deadlock_options *options);
void deadlock_memory_close(deadlock_memory *memory);

/* What the access at this node of memory goes to. */
const deadlock_access *deadlock_access_at(deadlock_memory *memory, uint32_t node);

/* What the register may be before the node, as an index: the lowest bit of the result divides it; 0: it is 0. */
uint32_t deadlock_index_in(deadlock_graph *graph, uint32_t node, uint32_t number);

/* The power of two of which what the index stands for is a multiple; 0: it stands for nothing. */
static inline uint32_t deadlock_step(uint32_t index)
{
    return index & (0 - index);
}

/* Does it read, does it write memory that other lanes reach too? */
int deadlock_reads_shared(deadlock_memory *memory, uint32_t node);
int deadlock_writes_shared(deadlock_memory *memory, uint32_t node);

/* May the write of one lane go to what the read of another lane of the warp reads? */
int deadlock_may_meet(deadlock_memory *memory, uint32_t read, uint32_t write);

/* Do both go to one address, whichever lanes they are of? */
int deadlock_do_meet(deadlock_memory *memory, uint32_t read, uint32_t write);

/* ---- The thread's own memory -------------------------------------------------------------------------------------- */

/* Fills the slots, and function_notes with DEADLOCK_STACK_ESCAPES. */
void deadlock_find_slots(deadlock_memory *memory);

/* Starts of the address, or of another register, as far as registers tell: a set of 1u << enum deadlock_root_kind. */
uint32_t deadlock_starts(deadlock_memory *memory, uint32_t node, uint32_t register_number);

/* Does the load or store at this node surely go to the stack? */
int deadlock_is_private(deadlock_memory *memory, uint32_t node);

/*
 * Stores, and calls, that the value may come from which the load at this node reads from the stack. in_loop: of the loop that
 * is marked in the flow only. Returns how many, or UINT32_MAX: too many; *from_entry: none may have come by.
 */
uint32_t deadlock_stores_before(deadlock_memory *memory, uint32_t load, int in_loop, uint32_t stores[LINT_SLICE_MAX],
                                uint32_t *from_entry);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * "heddle.debug/1", offered by blocks that run programs: what a debugger asks of their threads, and when it can stop them.
 *
 * Threads that execute an instruction together are lanes of a group; each hart of a CPU is a group of one lane. A group is a place for
 * threads, and may be empty.
 */
#ifndef HD_DEBUG_H
#define HD_DEBUG_H

#include "hd_block.h"
#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_EXTENSION_DEBUG "heddle.debug/1"

#define HD_DEBUG_LANES_MAX 64u

/* Registers: x0 to x31 are 0 to 31, f0 to f31 are 32 to 63. */
#define HD_DEBUG_PC 64u
#define HD_DEBUG_CSR 0x1000u /* + number of the CSR */

#define HD_DEBUG_READS 1u
#define HD_DEBUG_WRITES 2u
#define HD_DEBUG_TRANSACTIONAL 4u /* what is written is in global memory when the lane's transaction commits, if it does */

/* Lanes of a group are about to execute the instruction at pc; nothing of it is done. */
typedef struct hd_debug_moment {
    hd_time t;
    uint64_t pc;
    uint64_t lanes; /* a bit each */
    uint32_t group;
    uint32_t access;  /* a set of HD_DEBUG_READS, WRITES, TRANSACTIONAL, as far as it is known: then of */
    uint64_t address; /* these bytes */
    uint32_t bytes;
    uint32_t reserved;
    const uint32_t
        *addresses;         /* [lane]: of lanes that access each its own bytes; NULL: all access those at `address` */
    const uint32_t *values; /* [lane]: what a transactional store writes, in the low bytes; else NULL */
} hd_debug_moment;

/* What a program has done wrong. */
#define HD_DEBUG_FAULT_ADDRESS 1u     /* accessed, or gone to */
#define HD_DEBUG_FAULT_INSTRUCTION 2u /* that nobody executes, or not in this way */
#define HD_DEBUG_FAULT_TRAP 3u        /* it stops itself, or breaks a rule of synchronisation */

/* Called within advance, of a block whose order of work it does not change: while it has not returned, the block answers all
 * functions of hd_debug but `listen`. */
typedef struct hd_debug_listener {
    void *context;
    void (*before)(void *context, const hd_debug_moment *moment); /* NULL: nobody listens */
    /* Lanes have made a mistake at that pc, which is theirs from now on, and the run ends when this has returned. */
    void (*fault)(void *context, const hd_debug_moment *moment, uint32_t fault, const char *what);
    /* Of blocks whose accesses are made later than their instructions are executed: while *watching is not 0, watches is asked when lanes
     * have executed one that accesses memory, and returns those of which accessed is to tell. NULL: nobody asks. */
    const uint32_t *watching;
    uint64_t (*watches)(void *context, const hd_debug_moment *moment);
    /* Lanes of that instruction have made their accesses: what they have written, a debug access finds. Until this returns
     * the lanes stand at the instruction, and have the registers that they had then, with what it has loaded. */
    void (*accessed)(void *context, const hd_debug_moment *moment);
} hd_debug_listener;

typedef struct hd_debug_thread {
    uint64_t
        active; /* lanes of its group that execute what it does, itself included; 0: it waits for others of its group */
    uint32_t block_index[3]; /* of a thread of a grid */
    uint32_t thread_index[3];
    uint32_t warp; /* in its block */
    uint32_t reserved;
    const char *what; /* it does, "waits for loaded data"; the block's */
} hd_debug_thread;

/* Where a thread's bytes are. */
typedef struct hd_debug_place {
    void *bytes;      /* in the block; NULL: in memory, at */
    uint64_t address; /* where a request of the block would find them */
    uint32_t count;   /* so many, from there on */
    uint32_t reserved;
} hd_debug_place;

typedef struct hd_debug {
    uint32_t register_bytes; /* 4 or 8 */
    uint32_t reserved;
    uint32_t (*groups)(hd_block *block); /* places, taken or not */
    /* From now on. May be asked between calls of advance; the block has to be called again. What it does stays the same. */
    void (*listen)(hd_block *block, const hd_debug_listener *listener);
    /* Lanes of the group that have not ended, and which groups are of one thread block: those that have the same `owner`. */
    uint64_t (*live)(hd_block *block, uint32_t group, uint32_t *owner);
    /* Of a lane that has not ended: */
    void (*thread)(hd_block *block, uint32_t group, uint32_t lane, hd_debug_thread *thread);
    /* 0: there is no such register, or its value is not known yet. */
    uint32_t (*read)(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t *value);
    /* 0: it cannot be written. */
    uint32_t (*write)(hd_block *block, uint32_t group, uint32_t lane, uint32_t number, uint64_t value);
    /* 0: the thread may access nothing there. */
    uint32_t (*place)(hd_block *block, uint32_t group, uint32_t lane, uint64_t address, hd_debug_place *place);
} hd_debug;

/*
 * "heddle.debug_ports/1", offered by blocks at some of whose addresses each requester finds bytes of its own, such as banks that are
 * mapped for some: for accesses without time.
 */
#define HD_EXTENSION_DEBUG_PORTS "heddle.debug_ports/1"
typedef struct hd_debug_ports {
    /* 1: the address is such a one, and the place has what is there for whoever is linked to the element of the port (UINT32_MAX:
     * for nobody in particular), in the block; count 0: nothing. 0: it is an address as others are. */
    uint32_t (*place)(hd_block *block, uint32_t port, uint32_t element, uint64_t address, hd_debug_place *place);
} hd_debug_ports;

/*
 * Offered by blocks with registers behind a window of their own: what a debugger sees of them. A device that is made with
 * hd_registers.h has it from there.
 */
#define HD_EXTENSION_DEBUG_REGISTERS "heddle.debug_registers/1"

typedef struct hd_debug_registers {
    /* So many bytes, as they are at t, from this address on: returns how many. A read changes nothing, whatever a program's read does. A
     * write is possible, else 0, where what is written is only kept. */
    uint32_t (*access)(hd_block *block, hd_time t, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
} hd_debug_registers;

#ifdef __cplusplus
}
#endif

#endif

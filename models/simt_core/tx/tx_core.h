/* SPDX-License-Identifier: MIT */
/*
 * The port of transactions: all that they need of the core in which they run. A core fills it in and gives it to tx_create;
 * nothing in this folder includes the core. The memory pipe and the reconvergence unit are used through their own headers.
 */
#ifndef SIMT_CORE_TX_CORE_H
#define SIMT_CORE_TX_CORE_H

#include "hd_block.h"
#include "hd_message.h"
#include "hd_trace.h"
#include "hd_unit.h"
#include "memory/access.h"
#include "parameters.h"
#include "reconvergence.h"
#include "ticket.h"

struct tx_cause;

/* Of the thread block that a warp belongs to. */
typedef struct tx_block {
    const hd_grid *grid;
    uint32_t warps;
    uint32_t slot;              /* of the core, below tx_core.block_count */
    uint32_t index;             /* of the warp, in the block */
    uint32_t scratchpad_offset; /* of the block's part, in bytes */
    uint64_t number;            /* of the block among those that the core has run */
} tx_block;

/* `core`: tx_core.context. Paths, warps and lanes are numbered as in the core. */
typedef struct tx_port {
    /* Registers of the path's lanes */
    /* Addresses [lane] of the path's instruction, which is a load, store or atomic, for its lanes. */
    void (*addresses)(const void *core, uint32_t path, uint32_t *address);
    /* All registers of these lanes to words [64][lane] and fcsr [lane], and back. */
    void (*save_registers)(const void *core, uint32_t path, uint64_t lanes, uint32_t *words, uint8_t *fcsr);
    void (*restore_registers)(const void *core, uint32_t path, uint64_t lanes, const uint32_t *words,
                              const uint8_t *fcsr);

    /* What the path does next */
    /* It waits for its transaction, and fetches nothing; what it has fetched is void. */
    void (*suspend)(void *core, uint32_t path);
    /* It goes on behind the instruction at its pc. */
    void (*resume)(void *core, uint32_t path);
    /* It goes on with the instruction at its pc. */
    void (*start)(void *core, uint32_t path);
    /* Instructions of the warp may have what they waited for, or have lost lanes. */
    void (*recheck)(void *core, uint32_t warp);
    /* Instructions of the warp that could issue may have to wait from now on. */
    void (*recheck_ready)(void *core, uint32_t warp);
    /* Lanes are about to be taken from a path: what it has done so far is accounted with them. */
    void (*before_lanes_change)(void *core);
    /* The end of a block may have what it waited for. */
    void (*look_for_ends)(void *core);

    /* Where the transaction that begins at the path's pc commits. */
    uint32_t (*commit_of)(const void *core, uint32_t path);

    /* Accesses */
    /* How many of the path are in the memory pipe. */
    uint32_t (*accesses_in_flight)(const void *core, uint32_t path);
    /* An access that the pipe has given this ticket is the path's: the core counts it as in flight, and hands its values to
     * tx_access_done. */
    void (*keep_ticket)(void *core, uint32_t ticket, const ticket_state *state);

    /* Messages by the core's own links for transactions */
    uint32_t (*can_send)(const void *core);
    void (*send)(void *core, hd_packet *packet); /* given away; precondition: can_send */

    /* Time and ends */
    /* tx_work is called at that edge, or an earlier one. */
    void (*wake)(void *core, uint64_t edge);
    /* The run ends: `text` says what these lanes at pc have done. */
    void (*fault)(void *core, uint32_t warp, uint32_t pc, uint64_t lanes, const char *text);
    uint32_t (*is_halted)(const void *core); /* after a fault */

    tx_block (*block_of)(const void *core, uint32_t warp);

    /* What is told to whoever watches: profiles, traces, checks of accesses */
    /* From one tx_state to another, before it is noted. */
    void (*state_changes)(void *core, uint32_t warp, uint32_t before, uint32_t now);
    /* Lanes have begun an attempt of the transaction at pc, commit it, or give it up. */
    void (*lanes_begin)(void *core, uint32_t warp, uint32_t pc, uint64_t lanes);
    void (*lanes_commit)(void *core, uint32_t warp, uint32_t pc, uint64_t lanes);
    /* It is certain that lanes commit, and nothing of it is in memory yet: what they have accessed counts. */
    void (*lanes_count)(void *core, uint32_t warp, uint64_t lanes);
    void (*lanes_abort)(void *core, uint32_t warp, uint64_t lanes, const struct tx_cause *cause);

    /* As wake, at the first edge after this one at which memory_can_submit. */
    void (*await_room)(void *core);
} tx_port;

/* A protocol that the core has been given. */
typedef struct tx_chosen {
    const struct tx_unit *unit;
    hd_unit_share share; /* its part of the core */
} tx_chosen;
#define TX_PROTOCOLS 2u /* at most: one for each domain */

typedef struct tx_core {
    void *context; /* of the functions */
    const tx_port *port;

    /* Fixed */
    const hd_services *services;
    const hd_value *parameters; /* [tx_parameter_number] */
    const tx_chosen *chosen;    /* protocols, of different domains; read by tx_create alone */
    uint32_t chosen_count;
    uint32_t lane_count, warp_count, block_count;
    uint32_t scratchpad_bytes, scratchpad_banks;
    uint32_t accesses;          /* that the memory pipe has room for */
    uint32_t log_line_bytes;    /* of the cache that logs go through */
    hd_time register_read_time; /* from an instruction to its access */
    const reconvergence_unit *reconvergence_unit;
    reconvergence *reconvergence;
    memory *memory;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t warp_tracks;  /* the first of them, [warp] */

    /* Up to date at every call */
    const hd_cursor *now;
    const path *paths; /* [path] */

    tx_counters *counters; /* statistics, written by transactions alone */
} tx_core;

#endif

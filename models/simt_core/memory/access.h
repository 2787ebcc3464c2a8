/* SPDX-License-Identifier: MIT */
/*
 * An access of a warp in the memory pipe, the hooks of transactions in the pipe, and what a protocol may ask of it. The pipe
 * itself: memory.h.
 */
#ifndef SIMT_CORE_ACCESS_H
#define SIMT_CORE_ACCESS_H

#include "hd_block.h"
#include "hd_extension.h"
#include "instruction.h"

/* What a transaction is on: immediates of tx.begin, a bit each. */
#define TX_GLOBAL ISA_TX_GLOBAL
#define TX_SCRATCHPAD ISA_TX_SCRATCHPAD
#define TX_DOMAINS 3u /* as an index; 0 is none */

/* One load, store or atomic of one path. Filled by the pipeline, in place (memory_slot) or copied by submit. Elements of
 * lanes outside the mask need not be set. */
typedef struct memory_access {
    const isa_instruction *instruction;
    uint32_t pc;
    uint32_t path;
    uint32_t warp;                     /* slot in which the path runs */
    uint32_t homes;                    /* of its lanes: memory_parameters.homes */
    uint32_t transactional;            /* 0, or TX_*: what of it is there goes by memory_transactions */
    uint32_t log_entry;                /* whose it is; the pipe passes it on */
    uint32_t internal;                 /* 1: not an instruction's; it does not count as one */
    uint64_t mask;                     /* not 0 */
    _Alignas(64) uint32_t address[64]; /* effective, in the thread's windows; active lanes only */
    uint32_t data[64];                 /* store value, or operand of an atomic */
    uint32_t compare[64];              /* amocas: the expected value */
} memory_access;

/* Lines of a log in private memory, written whole or read: `count` of the L1's lines, one behind the other in an array of
 * the warp. Timing only: what the log says is its owner's. */
#define MEMORY_LOG_ARRAYS 4u /* their lines take turns: equal entries of all arrays lie together */
typedef struct memory_log_run {
    uint32_t array; /* below MEMORY_LOG_ARRAYS */
    uint32_t place; /* of the first line: byte offset in the array, a multiple of the L1's line */
    uint16_t count;
    uint16_t writes;
} memory_log_run;
#define MEMORY_LOG_RUNS 4u

/* What a transactional access asks of its warp's logs, and what it gets there. All 0 at first. */
typedef struct memory_log_use {
    uint64_t served; /* lanes that send nothing; a load's values are in access.data */
    uint32_t runs;
    memory_log_run run[MEMORY_LOG_RUNS];
    uint8_t own[64]; /* of the word of a load's lane, bit i: byte i is the one in access.compare, not what comes */
} memory_log_use;

/*
 * Who is asked about transactional accesses, and for packets of its own. Replies whose tag names an access are to packets of
 * request; the pipe gives no access up before they have come, or memory_give_up.
 */
typedef struct memory_transactions {
    void *context;
    uint32_t group_bytes; /* lanes of one chunk of so many bytes go together; a power of two, HD_LINE_BYTES at most */
    /* The access is at the head of the pipe; `lanes` of it are global. */
    void (*enter)(void *context, memory_access *access, uint64_t lanes, memory_log_use *use);
    /* The packet for those of *lanes that still run, all in one chunk; *lanes is what it is for, and the others are done. A
     * load: address .. address + bytes, whole words. A store: the chunk. The pipe sets the tag. NULL, and *lanes are not 0:
     * not now; theirs is one of the packets offered later, and has this tag. */
    hd_packet *(*request)(void *context, const memory_access *access, uint64_t *lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag);
    /* A load's words have come: as they are, in access.data[lane], where newer ones may be put. */
    void (*loaded)(void *context, memory_access *access, uint64_t lanes, const uint8_t *own, const hd_packet *reply);
    /* The same, when access.data[lane] is what the program gets; NULL: nobody asks. */
    void (*delivered)(void *context, const memory_access *access, uint64_t lanes);
    /* Any other reply. Lent. */
    void (*reply)(void *context, const hd_packet *packet);
    /* One of the packets that were offered; NULL: all that are left of them are not to be sent any more. */
    hd_packet *(*next_packet)(void *context);
    /* Lanes of a transactional access to the scratchpad, byte place[lane] of it: returns those whose data move, now; *cycles, not 0: for
     * which they hold the pipe. NULL: they are like any others. */
    uint64_t (*at_banks)(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place,
                         uint32_t *cycles);
    /* Those lanes' data have moved: loads' are in access.data, stores' in the scratchpad. NULL: nobody asks. */
    void (*moved)(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place);
    /* Lanes that are not transactional have changed the scratchpad; NULL: nobody asks. */
    void (*changed_plainly)(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place);
} memory_transactions;

typedef struct memory memory;

/* What a protocol may ask of the pipe; it calls them by the names in tx/protocol.h. */
typedef struct memory_calls {
    /* So many more packets are to be had from next_packet: one leaves per cycle, in turn with the others. */
    void (*offer_packets)(memory *m, uint32_t count);
    const hd_address_map *(*map)(const memory *m);
    /* A packet to the partition of the address: header of the class, and room for a body. */
    hd_packet *(*packet)(memory *m, uint32_t message, uint32_t traffic_class, uint64_t address, uint32_t body_bytes);
    /* Accesses that there is still room for, the queue apart. */
    uint32_t (*free_accesses)(const memory *m);
    /* The access that a reply's tag names, and its lanes. NULL: it has been given up, which counts as a late reply. */
    const memory_access *(*find_access)(memory *m, uint64_t tag, uint64_t *lanes);
    /* The same of a packet that has not been sent yet: nothing is late. */
    const memory_access *(*awaiting)(const memory *m, uint64_t tag, uint64_t *lanes);
    /* A load of so many bytes leaves later than its request was called. */
    void (*count_load)(memory *m, const hd_packet *packet);
    /* So many bytes of a log leave in a packet of next_packet. */
    void (*count_log)(memory *m, uint32_t bytes);
    /* What the tag names is done: a store is approved, or nothing comes of it. Only what find_access has found. */
    void (*complete)(memory *m, uint64_t tag);
    /* Replies to the accesses of a path in a transaction are not waited for. */
    void (*give_up)(memory *m, uint32_t path);
    /* The core's scratchpad. */
    uint8_t *(*scratchpad)(memory *m);
} memory_calls;

/* Number of the access that a tag names, below tx_core.accesses. */
#define MEMORY_TAG_GROUP_BITS 8
static inline uint32_t memory_ticket(uint64_t tag)
{
    return (uint32_t)tag >> MEMORY_TAG_GROUP_BITS;
}

/* What every memory begins with. */
typedef struct memory_head {
    const memory_calls *calls;
} memory_head;

#endif

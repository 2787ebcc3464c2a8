/* SPDX-License-Identifier: MIT */
/*
 * The memory pipe of a SIMT core between two scripted ends: the test submits accesses, and a partition of the test's own
 * answers them from a reference memory, in order of arrival per partition, after delays the test chooses.
 */
#ifndef MEMORY_RIG_H
#define MEMORY_RIG_H

#include "hd_address.h"
#include "hd_link.h"
#include "hd_message.h"
#include "memory/memory.h"

#define RIG_PARTITIONS 4u
#define RIG_CYCLE 1000u /* ps; of the pipe's clock, unless rig_create_at chose another */
#define RIG_TICKETS 64u
#define RIG_PACKETS 4096u
#define RIG_SENT 4096u
#define RIG_FETCHES 4096u
#define RIG_WORDS (1u << 16) /* of the reference memory, hashed by address */

/* Numbers of the messages. */
enum {
    RIG_LOAD,
    RIG_LOAD_REPLY,
    RIG_STORE,
    RIG_STORE_ACK,
    RIG_ATOMIC,
    RIG_ATOMIC_REPLY,
    RIG_UNCACHED_LOAD,
    RIG_UNCACHED_STORE,
    RIG_BUFFER_LOAD,
    RIG_BUFFER_STORE,
    RIG_MISTAKE,
    RIG_MESSAGES
};

typedef struct rig_packet {
    hd_packet *packet;
    hd_time accepted; /* when the partition takes its sample or writes */
    hd_time arrival;  /* of the reply at the core */
    uint64_t sequence;
    uint32_t answered;
    uint32_t partition;
} rig_packet;

/* As far as its sender looks at a link. */
typedef struct rig_link {
    uint8_t head[HD_LINK_HAND_OFFSET];
    hd_link_hand hand;
} rig_link;

typedef struct rig_sent {
    hd_packet packet; /* header */
    hd_time t;
    uint8_t body[HD_PACKET_BODY_MAX];
} rig_sent;

/* What is known of a ticket. */
typedef struct rig_result {
    uint64_t lanes; /* with values */
    uint32_t value[64];
    uint32_t calls;
    uint32_t last;
    hd_time submitted;
    hd_time at; /* of the last call */
} rig_result;

typedef struct rig_fetched {
    uint32_t path;
    uint32_t sequence;
    uint64_t edge;
} rig_fetched;

typedef struct rig {
    hd_services services;
    hd_address_map map;
    uint32_t endpoints[RIG_PARTITIONS];
    memory_parameters parameters;
    memory_counters counters;
    memory *m;
    uint64_t edge; /* next one to work */
    uint64_t seed; /* what the service `random` gives, after a reset */

    uint32_t accept_delay; /* cycles to the partition, and back */
    uint32_t reply_delay;
    uint64_t random; /* not 0: further random delays, up to random_delay cycles each way */
    uint32_t random_delay;
    uint32_t register_read; /* cycles an access is submitted ahead */
    uint32_t path;          /* of its warp, for the next accesses */
    uint32_t spurious;      /* 1: every edge is worked, twice */
    uint32_t hold;          /* 1: replies stay at the partitions */
    uint64_t
        wrong_line;   /* not 0: requests there are answered by a mistake, of the bytes from its first word but one on */
    uint32_t credits; /* 0: the network takes nothing */

    isa_instruction instructions[256]; /* of the latest accesses */
    uint32_t instruction_count;
    hd_link_head replies;   /* the link from the network begins with it */
    rig_link network;       /* the one to it, of which no credit is in hand */
    rig_packet in_flight[RIG_PACKETS];
    uint32_t in_flight_count;
    uint64_t sequence;
    hd_time last_accepted[RIG_PARTITIONS];
    hd_time last_arrival[RIG_PARTITIONS];
    uint64_t word_address[RIG_WORDS];
    uint32_t word[RIG_WORDS];
    uint64_t version[RIG_WORDS];

    rig_sent sent[RIG_SENT];
    uint32_t sent_count;
    uint32_t packets_alive;
    rig_result result[RIG_TICKETS];
    uint32_t drained[64]; /* calls per warp */
    rig_fetched fetched[RIG_FETCHES];
    uint32_t fetched_count;
    char fault[256];
    uint32_t fault_lane;
    memory_access fault_access;
    uint32_t faults;
} rig;

memory_parameters rig_parameters(void); /* 32 lanes, 8 warps, short latencies, global memory past the L1 */
rig *rig_create(const memory_parameters *parameters);
rig *rig_create_at(const memory_parameters *parameters, uint64_t hz);
hd_time rig_time(const rig *r, uint64_t edge);
void rig_destroy(rig *r);
/* Default view: a scratchpad of 4 KiB per block, 1 KiB private per thread, 256 constant bytes at RIG_CONSTANT. */
#define RIG_CONSTANT UINT64_C(0x20000040)
#define RIG_CONTEXT_SLOTS 1024u
void rig_view(rig *r, uint32_t warp, uint32_t block, uint32_t warp_in_block);
uint64_t rig_private(const rig *r, uint32_t warp_in_block, uint32_t block, uint32_t lane, uint32_t offset);

/* Of every rig, but for context and clock. */
extern const hd_services rig_services;
extern const memory_events rig_events;

/* Answers what has been accepted by t, in order of acceptance. */
void rig_work_partitions(rig *r, hd_time t);
/* The reply that is next is at the head of its link. */
void rig_show_replies(rig *r);
uint32_t rig_peek(rig *r, uint64_t address); /* a word of the reference memory, by physical address */
void rig_poke(rig *r, uint64_t address, uint32_t value);
/* As if it had been written so many times more. */
void rig_age(rig *r, uint64_t address, uint64_t writes);
uint64_t rig_random(uint64_t *state);

/* Submits at the current edge, running until there is room. op is an ISA_OP_*; data and compare may be NULL. */
uint32_t rig_submit(rig *r, uint32_t op, uint32_t flags, uint32_t warp, uint64_t mask, const uint32_t *address,
                    const uint32_t *data, const uint32_t *compare);
/* address[lane] = base + lane * stride, for all 64. */
void rig_addresses(uint32_t *address, uint32_t base, uint32_t stride);
#define RIG_ALL UINT64_C(0xFFFFFFFF)
/* One lane. */
uint32_t rig_one(rig *r, uint32_t op, uint32_t warp, uint32_t lane, uint32_t address, uint32_t data);
void rig_cycles(rig *r, uint32_t cycles);
void rig_finish(rig *r, uint32_t ticket);            /* runs until the ticket is done */
void rig_idle(rig *r);                               /* runs until the pipe is idle */
uint32_t rig_latency(const rig *r, uint32_t ticket); /* cycles from submit to the last value */

#endif

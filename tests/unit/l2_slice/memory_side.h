/* SPDX-License-Identifier: MIT */
/*
 * Crossbar, six slices, six channels, crossbar, with the clocks and the standard parameters of the gtx480 machine. The
 * test is the requesters: it sends on element r of the request network and receives what comes for requester r. One more
 * speaks the memory protocol, over a bus and a bridge to the network. If there is a tile fabric, it is between some and the network.
 */
#ifndef MEMORY_SIDE_H
#define MEMORY_SIDE_H

#include "kit_internal.h"

enum { REQUESTERS = 15, PARTITIONS = 6, CORE_MHZ = 1400 };

struct memory_side;
/* Called when a reply arrives, or, with reply NULL, when a credit is back; it may send. The reply is freed afterwards. */
typedef void on_reply(struct memory_side *side, uint32_t requester, const hd_packet *reply, hd_time t);

struct memory_side {
    hd_engine *engine;
    const hd_block_class *slice_class;
    hd_address_map map;
    uint32_t slice_endpoints[PARTITIONS];
    uint32_t request_network;
    uint32_t reply_network;
    uint32_t bus, bridge;
    uint32_t fabric;   /* HD_FOREIGN: there is none */
    uint32_t slices;   /* endpoint of the first */
    uint32_t channels; /* likewise */
    on_reply *on_reply;
    void *context;
};

struct memory_side *memory_side_make(on_reply *function, void *context);
/* Parameters are texts as the kit takes them. */
typedef struct memory_side_form {
    const hd_block_class *network;
    const char *const *network_parameters;
    const hd_block_class *slice; /* NULL: it writes back */
    const char *const *slice_parameters;
    const char *const *
        fabric_parameters; /* of 2 tiles of 4 PEs, which the first MEMORY_SIDE_PES requesters are; NULL: they are none */
} memory_side_form;
enum { MEMORY_SIDE_PES = 8 };
struct memory_side *memory_side_make_as(const memory_side_form *form, on_reply *function, void *context);
void memory_side_destroy(struct memory_side *side);

/* A zeroed packet from this requester to the slice of the address. */
hd_packet *memory_side_packet(struct memory_side *side, uint32_t requester, const char *message, uint64_t address,
                              uint32_t argument, uint32_t body_bytes);
/* Leaves the requester at t; returns 0, and does nothing, if there is no credit. */
uint32_t memory_side_send(struct memory_side *side, uint32_t requester, hd_packet *packet, hd_time t);
/* How many packets a requester may send now. */
uint32_t memory_side_credits(struct memory_side *side, uint32_t requester);
#define MEMORY_SIDE_BUS REQUESTERS /* the requester on the bus, for these three */
/* Runs until nothing is left to do; returns when the last reply or credit came. */
hd_time memory_side_run(struct memory_side *side);

/* Sum of a statistic over blocks `first` .. `first` + count - 1. */
uint64_t memory_side_statistic(struct memory_side *side, uint32_t first, uint32_t count, const char *name);

#endif

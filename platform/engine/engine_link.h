/* SPDX-License-Identifier: MIT */
/*
 * Links that the outside carries: real TLM transport calls, foreign models, the test kit.
 *
 * On a wire link (hd_binding.wire, or a foreign end) whatever a block sends waits, as does the credit of whatever it
 * pops, until its arrival time, when the outside takes it. The outside hands it to the other end by deliver, at that
 * time or later. Taken and delivered at once, at its arrival time, it gives exactly the results of a link inside.
 *
 * The loop of the outside:
 *     next = hd_engine_step(engine, limit);
 *     while (next == hd_engine_wire_next(engine)) { hd_engine_wire_take(engine, next, &event); ... deliver ... }
 */
#ifndef HD_ENGINE_LINK_H
#define HD_ENGINE_LINK_H

#include "engine.h"
#include "hd_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The link that leaves (out) or reaches (in) an element of a port, or NULL. From elaborate on. */
hd_link *hd_engine_link_out(const hd_engine *engine, uint32_t block, uint32_t port, uint32_t element);
hd_link *hd_engine_link_in(const hd_engine *engine, uint32_t block, uint32_t port, uint32_t element);

typedef struct hd_link_end {
    uint32_t block; /* HD_FOREIGN: outside */
    uint32_t port;
    uint32_t element;
} hd_link_end;
hd_link_end hd_link_sender(const hd_link *link);
hd_link_end hd_link_receiver(const hd_link *link);
/* An ability of a block to which this one sends, and where that receives it; NULL: none has it. After elaborate. */
const void *hd_engine_ability_of_receiver(const hd_engine *engine, uint32_t block, const char *id, hd_link_end *at);
hd_link_timing hd_link_timing_of(const hd_link *link);
/* A word of the outside's own; NULL at first. */
void hd_link_set_user(hd_link *link, void *user);
void *hd_link_user(const hd_link *link);

/* From elaborate on: bytes that requests on a memory link ask for are counted from now on, and from each reset. */
typedef struct hd_link_bytes {
    uint64_t read;
    uint64_t written;
} hd_link_bytes;
void hd_link_count_bytes(hd_link *request_link);
hd_link_bytes hd_link_bytes_of(const hd_link *request_link); /* between windows */

/* What waits for the outside on any wire link. */
typedef struct hd_wire_event {
    hd_link *link;
    hd_packet *packet; /* NULL: one credit, on its way back to the sender */
    hd_time t;         /* arrival */
} hd_wire_event;
/* Arrival time of the earliest, or HD_NEVER. */
hd_time hd_engine_wire_next(const hd_engine *engine);
/* Takes the first that arrives by t, in order of (time, link, packets before credits); returns 0 if there is none. The
 * packet is then the caller's. */
uint32_t hd_engine_wire_take(hd_engine *engine, hd_time t, hd_wire_event *event);

/*
 * Hands a packet to the receiver, or a credit to the sender, arriving at t: t >= hd_engine_now, and not before what was
 * last delivered on this link. Returns 1; 0 and changes nothing when t is too early, when the receiver's buffer is full
 * (the outside sent without a credit), or when there is no such credit outstanding. On success the packet is the link's.
 */
uint32_t hd_link_deliver(hd_link *link, hd_packet *packet, hd_time t);
uint32_t hd_link_deliver_credit(hd_link *link, hd_time t);

/* What engines ask of the outside, of the far end of a link to it. Copied; any function may be NULL. */
typedef struct hd_outside {
    void *context;
    /* As hd_block_class.debug_access of who is there. */
    uint32_t (*debug_access)(void *context, const hd_link *link, uint64_t address, void *data, uint32_t bytes,
                             uint32_t is_write);
    const char *(*name)(void *context, const hd_link *link); /* valid until the next call */
    /* Writes of the link that the outside has taken, and has not handed on; the oldest first. */
    void (*under_way)(void *context, const hd_link *link, const hd_under_way_sink *sink);
} hd_outside;
void hd_engine_set_outside(hd_engine *engine, const hd_outside *outside);

/* When the outside moves next of itself, in a way that can reach a block; HD_NEVER, as after reset: not before a block does.
 * While it does, blocks that wait are judged by their progress (hd_engine_status), not by whether they move. */
void hd_engine_set_outside_next(hd_engine *engine, hd_time t);

/* Credits the outside holds as the foreign sender of the link: those it may still use for deliver. */
uint32_t hd_link_outside_credits(const hd_link *link);

#ifdef __cplusplus
}
#endif

#endif

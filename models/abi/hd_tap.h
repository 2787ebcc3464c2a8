/* SPDX-License-Identifier: MIT */
/*
 * Protocol tap: a block is told, at once and inside one partition, what another accepts, and may take it away.
 *
 * An ordering point (the L2 slice) carries out accesses to a line in the order in which it accepts them. Who has to be part
 * of that order cannot be reached by packets: a validation unit's verdict on a load and the acceptance of that load are one
 * event (Ren & Lis 2018 §IV, the value is that of the moment of the verdict); temporal conflict detection reads and writes
 * its table of write times together with the data (Fung 2015 §6.4); a checker needs the order itself.
 *
 * Ports. The ordering point declares a port of direction HD_PORT_TAPPED, who listens one of HD_PORT_TAP; a netlist joins
 * them by {from: l2.tap, to: validation_unit.tap}. Such a link has no latency and no credits and carries no packets:
 * connect gives NULL for both. A block may listen to several, an element of its port for each.
 *
 * Order. Taps of one ordering point are asked in the order of the elements of its port. Only the one at element 0 may take a
 * request away; nobody else hears of what it took.
 *
 * Time. Blocks joined by taps are advanced together: all that one of them does at time t is done before any of them does
 * anything later, and at one t the ordering point is advanced before those that listen to it. So a tap that is called at t has
 * done all of its own work before t and none of that at t, whatever the windows are. After each call the platform calls
 * its advance at the first edge of its clock at or after t. In the call itself it may look at and change its state,
 * allocate and free packets, draw random numbers, log, fault and report progress at t; links belong to its advance.
 * A tap never calls back into the ordering point. Blocks must not listen to each other in a circle.
 *
 * How it is used:
 *   validation unit      Loads come to it over the network; it spends the time of its tables and sends them on to a request
 *                        port of the slice, source and tag unchanged. on_sample is the verdict: PASS and update its
 *                        metadata, or TAKE, and then abort the requester or keep the packet and send it again when the
 *                        granule is free. Commits come to the slice from the commit unit; on_write gives the reservation
 *                        back, in the event that makes the data visible.
 *   temporal conflict    on_write of a transactional write enters t for the line; on_sample of a transactional load (packet
 *   detection            epoch not 0) looks the time up, keeps it in *note, and release appends it to the reply.
 *   checker              A reference memory that carries out each access in on_sample and on_write, by `number`, and
 *                        compares the reply in release.
 */
#ifndef HD_TAP_H
#define HD_TAP_H

#include <string.h>

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_TAP_PASS 0u /* accept it */
#define HD_TAP_TAKE 1u /* the packet is the tap's; the ordering point answers nothing and goes on */

/* One access at the moment of its acceptance: nothing stands in its way any more, and it is next in the order. */
typedef struct hd_tap_access {
    hd_packet *request; /* lent; as it arrived, header and body. The tap's if it answers HD_TAP_TAKE */
    hd_time t;          /* an edge of the ordering point's clock */
    uint64_t number;    /* accesses that it accepted before this one, since reset; those taken away do not count */
    uint32_t port;      /* element of its request port by which it came */
    uint32_t reserved;
} hd_tap_access;

/* The same access when it was carried out: at once, or, after a miss, when its data came. Those of one line are carried
 * out in the order of their numbers. */
typedef struct hd_tap_release {
    hd_packet *reply; /* lent; complete. hd_tap_append adds to it */
    const uint8_t
        *line;        /* HD_LINE_BYTES from the line's address, as the access left them; what it had no need of may not
                            be there and has no meaning */
    hd_time t;        /* an edge of the ordering point's clock */
    uint64_t number;  /* of the access */
    uint64_t note;    /* what on_sample or on_write of this tap left */
    uint32_t written; /* bit i: word i of the line was written, changed or not */
    uint32_t reserved;
} hd_tap_release;

/* Offered by a block with a port of direction HD_PORT_TAP. `element` is that of its port. Any may be NULL. */
#define HD_EXTENSION_TAP "heddle.tap/1"
typedef struct hd_tap {
    /* Something will sample the line: a load, or an atomic, of which on_write is asked next. *note is 0 before. */
    uint32_t (*on_sample)(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note);
    /* Something will write the line: a store, or an atomic, even if it turns out to write nothing (CAS, SC). *note is
     * what on_sample left. */
    uint32_t (*on_write)(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note);
    /* It is done, and its reply is about to enter the pipeline. */
    void (*release)(hd_block *tap, uint32_t element, const hd_tap_release *release);
} hd_tap;

/* Offered by a block with a port of direction HD_PORT_TAPPED: it calls `tap` with `listener` and `listener_element`. Called
 * once for each bound element, in order, after connect and before reset. */
#define HD_EXTENSION_TAPPED "heddle.tapped/1"
typedef struct hd_tapped {
    void (*attach)(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element);
} hd_tapped;

#define HD_TAP_COUNT_MAX 4u     /* taps of one ordering point */
#define HD_TAP_APPEND_BYTES 32u /* room behind the data of a load's reply, for all taps together */

/* Puts bytes behind those of a load's reply: its receiver finds them at body + argument, in the order of the taps. Returns
 * 0, and does nothing, if there is no room. */
static inline uint32_t hd_tap_append(hd_packet *reply, const void *data, uint32_t bytes, uint32_t wire_bytes)
{
    if (bytes > reply->body_capacity - reply->body_bytes)
        return 0;
    memcpy((uint8_t *)hd_body(reply) + reply->body_bytes, data, bytes);
    reply->body_bytes += bytes;
    reply->wire_bytes += wire_bytes;
    return 1;
}

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Protocol tap: a listener is called in the same event in which an ordering point accepts an access, and may take the
 * access away.
 *
 * An ordering point (the L2 slice) executes accesses to a line in the order in which it accepts them. Packets cannot make
 * another block part of that order, but some blocks need it: a validation unit's verdict on a load and the acceptance of
 * that load are one event (Ren & Lis 2018 §IV: the value is that at the moment of the verdict); temporal conflict
 * detection accesses its table of write times together with the data (Fung 2015 §6.4); a checker needs the order itself.
 *
 * Ports. The ordering point declares a port of direction HD_PORT_TAPPED, the listener one of direction HD_PORT_TAP; a
 * netlist joins them by {from: l2.tap, to: validation_unit.tap}. Such a link has no latency or credits and carries no
 * packets: connect gets NULL for both directions. A block may listen to several ordering points, each at an element of
 * its port.
 *
 * Order. The listeners of an ordering point are called in the order of the elements of its port. Only the listener at
 * element 0 may take a request; the others are then not called.
 *
 * Time. A listener that is called at t has done all its own work before t and none at t, whatever the windows: at equal
 * times the ordering point is advanced before its listeners. The ordering point may have been advanced beyond the time at
 * which a listener stands, but never the other way. After each call the platform advances the listener at the first
 * edge of its clock at or after t. In the call it may read and change its state, allocate and free packets, draw random
 * numbers, log, fault and report progress at t; it must not use links. A listener never calls back into the ordering
 * point. Taps must not form a cycle.
 *
 * Uses:
 *   validation unit      Loads reach it over the network; after the time of the table look-up it forwards them to a
 *                        request port of the slice, source and tag unchanged. on_sample is the verdict: PASS and update
 *                        the metadata, or TAKE, and then abort the requester or keep the packet and send it again when
 *                        the granule is free. Commits reach the slice from the commit unit; on_write releases the
 *                        reservation in the event that makes the data visible.
 *   temporal conflict    on_write of a transactional write enters t for the line; on_sample of a transactional load (packet
 *   detection            epoch not 0) looks up the time and stores it in *note, and release appends it to the reply.
 *   checker              A reference memory that executes each access in on_sample and on_write, by `number`, and
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
#define HD_TAP_TAKE 1u /* the listener takes over the packet; the ordering point sends no reply */

/* An access at the moment of its acceptance: nothing blocks it any more, and it is next in the order. */
typedef struct hd_tap_access {
    hd_packet *request; /* as it arrived, header and body. Valid during the call, unless it is taken with HD_TAP_TAKE */
    hd_time t;          /* an edge of the ordering point's clock */
    uint64_t number;    /* of accesses accepted before this one, since reset; those taken away do not count */
    uint32_t port;      /* element of the request port at which it arrived */
    uint32_t reserved;
} hd_tap_access;

/* The same access when it has been executed: at once, or, after a miss, when its data arrived. Accesses to one line are
 * executed in the order of their numbers. */
typedef struct hd_tap_release {
    hd_packet *reply;    /* complete; valid during the call. hd_tap_append adds to it */
    const uint8_t *line; /* the line's HD_LINE_BYTES after the access; bytes that the access did not need may be missing
                            and are then undefined */
    hd_time t;           /* an edge of the ordering point's clock */
    uint64_t number;     /* of the access */
    uint64_t note;       /* stored by on_sample or on_write of this listener */
    uint32_t written;    /* bit i: word i of the line was written, changed or not */
    uint32_t reserved;
} hd_tap_release;

/* Offered by a block with a port of direction HD_PORT_TAP. `element` is that of its port. Functions may be NULL. */
#define HD_EXTENSION_TAP "heddle.tap/1"
typedef struct hd_tap {
    /* An access that reads the line: a load, or an atomic, for which on_write is called next. *note is initially 0. */
    uint32_t (*on_sample)(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note);
    /* An access that writes the line: a store, or an atomic, even if it turns out to write nothing (CAS, SC). *note is
     * as on_sample left it. */
    uint32_t (*on_write)(hd_block *tap, uint32_t element, const hd_tap_access *access, uint64_t *note);
    /* The access is done, and its reply is about to enter the pipeline. */
    void (*release)(hd_block *tap, uint32_t element, const hd_tap_release *release);
} hd_tap;

/* Offered by a block with a port of direction HD_PORT_TAPPED. From then on it calls the functions of `tap` with `listener`
 * and `listener_element`. Called once for each bound element, in order, after connect and before reset. */
#define HD_EXTENSION_TAPPED "heddle.tapped/1"
typedef struct hd_tapped {
    void (*attach)(hd_block *block, uint32_t element, const hd_tap *tap, hd_block *listener, uint32_t listener_element);
} hd_tapped;

#define HD_TAP_COUNT_MAX 4u     /* listeners of one ordering point */
#define HD_TAP_APPEND_BYTES 32u /* room after the data of a load's reply, for all listeners together */

/* Appends bytes to a load's reply: the receiver finds them at body + argument, in the order of the listeners. Returns 0,
 * and does nothing, if there is no room. */
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

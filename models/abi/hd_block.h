/* SPDX-License-Identifier: MIT */
/*
 * The block ABI: how a hardware block declares itself, and what it may ask of the platform.
 *
 * A block implementation is one constant hd_block_class, found by (kind, type). Everything about it that can be data
 * is data: the command line, the netlist checks, the documentation, the test kit and the SystemC side all read these
 * tables and repeat nothing. Compatible with C11 and C++17; fixed-width integers and pointers only.
 *
 * Life cycle:  create -> connect (once per bound port element) -> reset -> { advance | promise }* -> destroy.
 * reset may come again at any time. destroy accepts a block in any state. A block has no globals: two instances share
 * nothing. A block never prints, exits, allocates after connect, or reads the host's clock.
 *
 * Time: a block has done everything with time < its horizon. Within advance it may use its links at any t of
 * now <= t < horizon; what it sees at t never changes afterwards, so one call or many calls over the same span give the
 * same state, the same packets at the same times, the same statistics and the same random draws.
 */
#ifndef HD_BLOCK_H
#define HD_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "hd_packet.h"
#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_ABI_VERSION 1u /* a block of another version is refused */

/* ---- Declaration ------------------------------------------------------------------------------------------------ */

/*
 * Names of kinds, types, ports, parameters and statistics are words of letters, digits and '_'; of parameters and
 * statistics, words joined by dots. All other text is one line of UTF-8.
 */
#define HD_NAME_MAX 64u /* characters of a name */

/* Parameter types. The resolved value arrives as hd_value in declaration order. */
#define HD_TYPE_UNSIGNED 1u /* u; the unit says how the netlist writes it */
#define HD_TYPE_BOOLEAN 2u  /* u = 0 or 1 */
#define HD_TYPE_CHOICE 3u   /* text = one of choices; u = its index */
#define HD_TYPE_TEXT 4u     /* text, any */
#define HD_TYPE_REAL 5u     /* real */

/* Units of HD_TYPE_UNSIGNED. A netlist must write the unit where one is named, and must not where none is. */
#define HD_UNITLESS 0u
#define HD_UNIT_BYTES 1u   /* "48 KiB", "128 B"; u in bytes */
#define HD_UNIT_CYCLES 2u  /* "5 cycles" of the block's clock; u in cycles */
#define HD_UNIT_SECONDS 3u /* "3.9 us"; u in picoseconds */
#define HD_UNIT_HERTZ 4u   /* "924 MHz"; u in hertz */

typedef struct hd_parameter {
    const char *name;     /* dots group: "l1.bytes" is written as l1: {bytes: ...} or l1.bytes: ...; never ".type" */
    uint32_t type;        /* HD_TYPE_* */
    uint32_t unit;        /* HD_UNIT_* */
    const char *standard; /* default, as a netlist writes it; NULL = required */
    uint64_t minimum;     /* HD_TYPE_UNSIGNED, inclusive, in the unit of u */
    uint64_t maximum;     /* 0 = no upper bound */
    const char *choices;  /* HD_TYPE_CHOICE: "lrr|gto" */
    const char *doc;      /* one line */
} hd_parameter;

typedef struct hd_value {
    uint64_t u;
    double real;
    const char *text; /* lives as long as the block */
} hd_value;

/* Port directions. A message port is one link. A memory port is a request link and a response link the other way. A tap is
 * no link: its two blocks are advanced together and call each other. */
#define HD_PORT_SEND 1u      /* protocol message: out */
#define HD_PORT_RECEIVE 2u   /* protocol message: in */
#define HD_PORT_INITIATOR 3u /* protocol memory: out = requests, in = responses */
#define HD_PORT_TARGET 4u    /* protocol memory: in = requests, out = responses */
#define HD_PORT_TAPPED 5u    /* protocol tap (hd_tap.h): tells what it accepts; no link, no latency, no credits */
#define HD_PORT_TAP 6u       /* protocol tap: is told */

typedef struct hd_port {
    const char *name;
    uint32_t direction;     /* HD_PORT_* */
    uint32_t minimum_count; /* elements that must be bound; 0 = may stay unbound */
    uint32_t maximum_count; /* 1 = a single port; more = an array whose size is what is bound */
    uint32_t
        latency_cycles; /* default latency of links that start here, in cycles of this block's clock, >= 1; taps: 0 */
    uint32_t credits;   /* default credits of links that end here, >= 1; taps: 0 */
    const char *doc;
} hd_port;

/* Statistic kinds: how instances and intervals are combined. */
#define HD_STATISTIC_COUNT 1u   /* sum; interval = end - start */
#define HD_STATISTIC_MAXIMUM 2u /* maximum over instances; the block's high-water mark since the last mark or reset */

typedef struct hd_statistic {
    const char *name;
    const char *unit; /* "cycles", "bytes", "instructions", ... */
    uint32_t kind;    /* HD_STATISTIC_* */
    uint32_t reserved;
    const char *doc;
} hd_statistic;

/* A message type that a block sends or accepts, e.g. {"global.load/1", HD_MESSAGE_SENT, "request"}: words joined by dots,
 * and a version. */
#define HD_MESSAGE_SENT 1u
#define HD_MESSAGE_RECEIVED 2u
typedef struct hd_message_use {
    const char *name;
    uint32_t direction;
    uint32_t when; /* 0 = always, or HD_MESSAGE_WHEN: only of instances whose parameter has this value */
    const char *port;
} hd_message_use;
/* parameter: index of an HD_TYPE_CHOICE; value: its u, below 2^16. */
#define HD_MESSAGE_WHEN(parameter, value) (((uint32_t)(parameter) + 1) << 16 | (uint32_t)(value))
/* Of an instance with these values (parameter_count of them). */
static inline uint32_t hd_message_applies(const hd_message_use *use, const hd_value *values)
{
    return use->when == 0 || values[(use->when >> 16) - 1].u == (use->when & 0xFFFFu);
}

/* Trace events (hd_trace.h): what a block shows of what it does, when a run is traced. At most HD_TRACE_EVENTS_MAX. */
#define HD_TRACE_EVENTS_MAX 64u
#define HD_TRACE_VALUES_MAX 4u
#define HD_TRACE_SPAN 1u    /* begins and ends on a track; the spans of one track lie inside each other */
#define HD_TRACE_INSTANT 2u /* happens on a track */
#define HD_TRACE_COUNTER 3u /* a level of a track, from one change to the next; 0 at first */
#define HD_TRACE_FLOW 4u    /* an arrow from one span or instant to another, of any block */
typedef struct hd_trace_event {
    const char *name; /* a word; what one name means is the same in all blocks */
    uint32_t form;    /* HD_TRACE_SPAN ... */
    uint32_t detail;  /* 1: so frequent that it is shown only to who asks for it by name */
    const char
        *values;      /* of a span or instant: the names of its numbers, "block|0xaddress" (0x: shown in hexadecimal) */
    const char *unit; /* of a counter */
    const char *doc;
} hd_trace_event;

/* Flags of a class. */
#define HD_BLOCK_FORWARDS 1u    /* passes on, by destination, any message from its receive ports to its send ports */
#define HD_BLOCK_ADDRESS_MAP 2u /* cannot do without the address map of the machine (hd_extension.h) */
#define HD_BLOCK_DIRECT 4u      /* touches memory where it is held, in turns (hd_direct.h) */
#define HD_BLOCK_LOOKS_AHEAD 8u /* one call may span arrivals: it asks arrival and credit_arrival for them itself */
#define HD_BLOCK_SELF_DRIVEN                                                                                           \
    16u /* begins by itself: a machine that has one runs without an app, to the end of its work */
#define HD_BLOCK_DECODES                                                                                               \
    32u /* passes accesses on, from its target ports to the initiator ports behind which the address is */

/* Addresses that a block owns. Two windows in one address space must not overlap. The physical addresses of the machine
 * are one space; each memory target port shows these and the windows of that port. */
#define HD_WINDOW_SHARED 1u /* several blocks may have it: shared windows may overlap each other */
typedef struct hd_window {
    const char *name;
    const char *port;      /* target port at which it is seen; NULL = physical memory */
    uint64_t base;         /* first address */
    uint64_t bytes;        /* size, or size of one unit of the parameter; > 0 */
    const char *parameter; /* HD_TYPE_UNSIGNED; its value is the number of units; NULL = one */
    uint32_t flags;        /* HD_WINDOW_* */
    uint32_t reserved;
    const char *doc;
    const char *base_parameter; /* HD_TYPE_UNSIGNED; its value is added to base; NULL = none */
} hd_window;

/* Values that make no sense together, by the parameters that the user should look at. */
typedef struct hd_conflict {
    uint32_t parameter; /* index in parameters */
    uint32_t other;     /* index of the second, or the same again */
    char text[192];     /* one line: "schedulers (9) exceed warps (8)" */
} hd_conflict;

/* ---- What the platform offers a block --------------------------------------------------------------------------- */

/* One end of a link, as handed out by connect; the same pointer is given to both ends. */
typedef struct hd_link hd_link;

#define HD_LOG_DEBUG 0u
#define HD_LOG_INFO 1u
#define HD_LOG_WARNING 2u
#define HD_LOG_PROGRAM 3u /* said by the program that runs, not about it: a line of a kernel's printf */

/*
 * Every function takes the context of this struct first. All are callable from create on, the link functions from
 * connect on. They are per block: no call sees another block's state.
 */
typedef struct hd_services {
    uint32_t abi_version;
    uint32_t struct_bytes;
    void *context;
    const char *name;  /* instance name, e.g. "core[3]"; lives as long as the block */
    uint32_t index;    /* position in its array: 3 */
    uint32_t count;    /* size of its array */
    uint32_t endpoint; /* this instance's number for packet.source and packet.destination */
    uint32_t reserved;
    hd_clock clock; /* the block's clock */

    /* Interned number of a message type. Call in create, keep the number. */
    uint32_t (*message)(void *context, const char *name);

    /* A packet with a zeroed header and room for body_bytes (<= HD_PACKET_BODY_MAX); never NULL. */
    hd_packet *(*alloc)(void *context, uint32_t body_bytes);
    void (*free)(void *context, hd_packet *packet);

    /* Credits that the sender holds at time t. Zero is remembered: the sender is woken when one arrives. */
    uint32_t (*credits)(void *context, hd_link *link, hd_time t);
    /* Takes one credit and the packet; it arrives at t + latency. t is an edge of the sender's clock and never
     * decreases on one link. Sending without a credit is a model error. */
    void (*send)(void *context, hd_link *link, hd_packet *packet, hd_time t);
    /* Oldest packet that has arrived by t, or NULL. Lent. */
    const hd_packet *(*peek)(void *context, hd_link *link, hd_time t);
    /* Takes that packet; its credit reaches the sender one credit latency later. NULL if there is none. */
    hd_packet *(*pop)(void *context, hd_link *link, hd_time t);
    /* When the oldest undelivered packet arrives or arrived; HD_NEVER if the link is empty. */
    hd_time (*arrival)(void *context, hd_link *link);

    /* Element of the array of a send port that leads to the endpoint; UINT32_MAX if none does. Call in reset or later.
     */
    uint32_t (*route)(void *context, uint32_t port, uint32_t endpoint);

    /* The block's own random stream, seeded by (seed of the run, instance name). reset restarts it. */
    uint64_t (*random)(void *context);

    void (*log)(void *context, uint32_t severity, hd_time t, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 4, 5)))
#endif
        ;
    /* The program or the machine did something that has no meaning: the run ends with this text, which names what,
     * where and for whom. The first of a run (time, then block order) is shown. */
    void (*fault)(void *context, hd_time t, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 3, 4)))
#endif
        ;
    /* Something happened that cannot go on for ever: thread exit, barrier release, commit, changed global word. */
    void (*progress)(void *context, hd_time t);

    /* A named, versioned service (hd_extension.h), or NULL. Ask once, in create. */
    const void *(*extension)(void *context, const char *id);

    /* When the oldest credit that `credits` has not counted arrives or arrived. HD_NEVER if none is on its way: the sender
     * is then woken by the next one. A block that looks ahead asks whenever it waits for a credit. */
    hd_time (*credit_arrival)(void *context, hd_link *link);

    /* For a class that looks ahead: an element of a port on which `arrival` said HD_NEVER, or was never asked since reset,
     * and on which packets are under way now. 1, or 0: there is no other. Each is named once. */
    uint32_t (*filled)(void *context, uint32_t *port, uint32_t *element);
} hd_services;

/* ---- What a block offers the platform ---------------------------------------------------------------------------- */

typedef struct hd_block hd_block; /* a block's own type, cast */

typedef struct hd_block_class {
    uint32_t abi_version; /* HD_ABI_VERSION */
    uint32_t struct_bytes;
    const char *kind;   /* "l2_slice": what it is */
    const char *type;   /* "write_back": which one */
    const char *doc;    /* one line */
    const char *source; /* where it comes from: "Fung 2015 §2.3.3" */
    uint32_t flags;     /* HD_BLOCK_* */
    uint32_t parameter_count;
    uint32_t port_count;
    uint32_t statistic_count;
    uint32_t message_count;
    uint32_t window_count;
    const hd_parameter *parameters;
    const hd_port *ports;
    const hd_statistic *statistics;
    const hd_message_use *messages;
    const hd_window *windows;

    /* Do these values (parameter_count of them, each of its type and in its range) go together? 1, or 0 and why not.
     * Pure; asked before anything is built, so that the user is shown the lines to mend. NULL: all go together. */
    uint32_t (*check)(const hd_value *values, hd_clock clock, hd_conflict *conflict);
    /* values: as they passed check. services lives as long as the block. What only shows now is refused: NULL, and one
     * line in error. */
    hd_block *(*create)(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
    /* Element `element` of port `port` (index in ports) is bound. out or in is NULL where the direction has none. */
    void (*connect)(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
    /* To the state after power-on, statistics included, time 0. The links are empty. */
    void (*reset)(hd_block *block);
    /* Does everything with time < horizon. Returns the next time it has work without further input, or HD_NEVER; a
     * packet or an awaited credit wakes it even then, and a call too many changes nothing. Unless the class looks
     * ahead (HD_BLOCK_LOOKS_AHEAD), no call spans the arrival of
     * a packet or a credit: the next call begins at the first edge at or after it. */
    hd_time (*advance)(hd_block *block, hd_time now, hd_time horizon);
    /* Earliest time at which it could send on, or pop from, any link without further input, given what has already
     * arrived or is on its way; >= now. NULL = whenever it has work. A late promise makes wider windows. */
    hd_time (*promise)(hd_block *block, hd_time now);
    /* statistic_count values in declaration order; valid until destroy. */
    const uint64_t *(*counters)(hd_block *block);
    /* Untimed access to data that this block holds, when all blocks stand at one time; never called by model code.
     * Returns how many of the bytes, from address on, it holds (0 = none). NULL = holds no data. */
    uint32_t (*debug_access)(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
    void (*destroy)(hd_block *block);
    /* Optional ability by versioned id (hd_extension.h), or NULL. The function itself may be NULL. */
    const void *(*extension)(hd_block *block, const char *id);

    const hd_trace_event *trace_events; /* trace_event_count of them */
    uint32_t trace_event_count;
    uint32_t reserved;
} hd_block_class;

#ifdef __cplusplus
}
#endif

#endif

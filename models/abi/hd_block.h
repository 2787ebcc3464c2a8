/* SPDX-License-Identifier: MIT */
/*
 * The block ABI: how a hardware block declares itself, and which services of the platform it may use.
 *
 * A block implementation is one constant hd_block_class, identified by (kind, type). Everything that can be declared as
 * data is in its tables; the command line, netlist checks, documentation, test kit and SystemC side are derived from
 * them. Compatible with C11 and C++17; fixed-width integers and pointers only.
 *
 * Life cycle:  create -> connect (once per bound port element) -> reset -> { advance | promise }* -> destroy.
 * reset may be called again at any time, destroy in any state. A block has no globals: two instances share nothing. A
 * block never prints, exits, allocates after connect, or reads the host's clock.
 *
 * Time: after advance, a block has done everything with time < horizon. Within advance it may use its links at any t
 * with now <= t < horizon. What it sees at t never changes afterwards, so one call or many calls over the same span give
 * the same state, the same packets at the same times, the same statistics and the same random draws.
 */
#ifndef HD_BLOCK_H
#define HD_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "hd_energy.h"
#include "hd_packet.h"
#include "hd_time.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HD_ABI_VERSION 1u /* a block with a different version is refused */

/* ---- Declaration ------------------------------------------------------------------------------------------------ */

/*
 * Names of kinds, types and ports are words of letters, digits and '_'; names of parameters and statistics are such
 * words joined by dots. All other texts are one line of UTF-8.
 */
#define HD_NAME_MAX 64u /* characters of a name */

/* Parameter types. The resolved value arrives as hd_value in declaration order. */
#define HD_TYPE_UNSIGNED 1u /* u; the unit determines how a netlist writes it */
#define HD_TYPE_BOOLEAN 2u  /* u = 0 or 1 */
#define HD_TYPE_CHOICE 3u   /* text = one of choices; u = its index */
#define HD_TYPE_TEXT 4u     /* text, any */
#define HD_TYPE_REAL 5u     /* real */

/* Units of HD_TYPE_UNSIGNED. A netlist must write the unit if there is one, and no unit for HD_UNITLESS. */
#define HD_UNITLESS 0u
#define HD_UNIT_BYTES 1u   /* "48 KiB", "128 B"; u in bytes */
#define HD_UNIT_CYCLES 2u  /* "5 cycles" of the block's clock; u in cycles */
#define HD_UNIT_SECONDS 3u /* "3.9 us"; u in picoseconds */
#define HD_UNIT_HERTZ 4u   /* "924 MHz"; u in hertz */

typedef struct hd_parameter {
    const char *name; /* dots group: "l1.bytes" is written l1: {bytes: ...} or l1.bytes: ...; must not end in ".type" */
    uint32_t type;    /* HD_TYPE_* */
    uint32_t unit;    /* HD_UNIT_* */
    const char *standard; /* default, in netlist syntax; NULL = required */
    uint64_t minimum;     /* HD_TYPE_UNSIGNED, inclusive, in the unit of u */
    uint64_t maximum;     /* 0 = no upper bound */
    const char *choices;  /* HD_TYPE_CHOICE: "lrr|gto" */
    const char *doc;      /* one line */
} hd_parameter;

typedef struct hd_value {
    uint64_t u;
    double real;
    const char *text; /* valid as long as the block */
} hd_value;

/* Port directions. A message port is one link. A memory port is a request link and a response link in the opposite
 * direction. A tap is not a link: its two blocks are advanced together, and one calls the other. */
#define HD_PORT_SEND 1u      /* protocol message: out */
#define HD_PORT_RECEIVE 2u   /* protocol message: in */
#define HD_PORT_INITIATOR 3u /* protocol memory: out = requests, in = responses */
#define HD_PORT_TARGET 4u    /* protocol memory: in = requests, out = responses */
#define HD_PORT_TAPPED 5u    /* protocol tap (hd_tap.h): calls its listeners; no link, latency or credits */
#define HD_PORT_TAP 6u       /* protocol tap: listens */

typedef struct hd_port {
    const char *name;
    uint32_t direction;     /* HD_PORT_* */
    uint32_t minimum_count; /* elements that must be bound; 0 = may stay unbound */
    uint32_t maximum_count; /* 1 = a single port; > 1 = an array with as many elements as are bound */
    uint32_t
        latency_cycles; /* default latency of links from this port, in cycles of this block's clock, >= 1; taps: 0 */
    uint32_t credits;   /* default credits of links to this port, >= 1; taps: 0 */
    const char *doc;
} hd_port;

/* Statistic kinds: how instances and intervals are combined. */
#define HD_STATISTIC_COUNT 1u   /* sum; interval = end - start */
#define HD_STATISTIC_MAXIMUM 2u /* maximum over instances; the block's high-water mark since the last mark or reset */

typedef struct hd_statistic {
    const char *name;
    const char *unit; /* "cycles", "bytes", "instructions", ... */
    uint32_t kind;    /* HD_STATISTIC_* */
    uint32_t when;    /* 0 = always, or HD_STATISTIC_WHEN: other instances have 0 of it whatever they do; or _SELDOM */
    const char *doc;
} hd_statistic;
/* One of two parameters (which may be the same), by their indices below 2^16 - 1, is not 0, or not its first choice. */
#define HD_STATISTIC_SELDOM                                                                                            \
    UINT32_MAX /* some units that a block may be put together from count it: where it is not 0 */
#define HD_STATISTIC_WHEN(parameter, other) (((uint32_t)(parameter) + 1) << 16 | ((uint32_t)(other) + 1))
/* Of a HD_STATISTIC_MAXIMUM: it is at least this from now on. */
static inline void hd_raise_maximum(uint64_t *maximum, uint64_t value)
{
    *maximum = value > *maximum ? value : *maximum;
}
/* Whether an instance with these values (parameter_count of them) can be expected to have some of it. */
static inline uint32_t hd_statistic_applies(const hd_statistic *statistic, const hd_value *values)
{
    if (statistic->when == 0 || statistic->when == HD_STATISTIC_SELDOM)
        return statistic->when == 0;
    return values[(statistic->when >> 16) - 1].u != 0 || values[(statistic->when & 0xFFFFu) - 1].u != 0;
}

/* A message type that a block sends or receives. The name is words joined by dots, and a version: "global.load/1". */
#define HD_MESSAGE_SENT 1u
#define HD_MESSAGE_RECEIVED 2u
typedef struct hd_message_use {
    const char *name;
    uint32_t direction;
    uint32_t when; /* 0 = always, or HD_MESSAGE_WHEN: only instances whose parameter has this value */
    const char *port;
} hd_message_use;
/* parameter: index of an HD_TYPE_CHOICE; value: its u, below 2^16. */
#define HD_MESSAGE_WHEN(parameter, value) (((uint32_t)(parameter) + 1) << 16 | (uint32_t)(value))
/* Whether it applies to an instance with these values (parameter_count of them). */
static inline uint32_t hd_message_applies(const hd_message_use *use, const hd_value *values)
{
    return use->when == 0 || values[(use->when >> 16) - 1].u == (use->when & 0xFFFFu);
}

/* Trace events (hd_trace.h): activity that a block shows when a run is traced. At most HD_TRACE_EVENTS_MAX. */
#define HD_TRACE_EVENTS_MAX 64u
#define HD_TRACE_VALUES_MAX 4u
#define HD_TRACE_SPAN 1u    /* begins and ends on a track; the spans of one track are nested */
#define HD_TRACE_INSTANT 2u /* a point in time on a track */
#define HD_TRACE_COUNTER 3u /* a level on a track, from one change to the next; initially 0 */
#define HD_TRACE_FLOW 4u    /* an arrow between spans or instants, of the same or different blocks */
typedef struct hd_trace_event {
    const char *name;   /* a word; the same name means the same in all blocks */
    uint32_t form;      /* HD_TRACE_SPAN ... */
    uint32_t detail;    /* 1: so frequent that it is shown only if it is requested by name */
    const char *values; /* span, instant: names of its values, "block|0xaddress" (0x: shown in hexadecimal) */
    const char *unit;   /* counter */
    const char *doc;
} hd_trace_event;

/* Flags of a class. */
#define HD_BLOCK_FORWARDS 1u    /* routes any message from its receive ports to its send ports, by destination */
#define HD_BLOCK_ADDRESS_MAP 2u /* requires the address map of the machine (hd_extension.h) */
#define HD_BLOCK_DIRECT 4u      /* accesses memory where it is stored, in turns (hd_direct.h) */
#define HD_BLOCK_LOOKS_AHEAD 8u /* one call may span arrivals: it asks arrival and credit_arrival for them itself */
#define HD_BLOCK_SELF_DRIVEN                                                                                           \
    16u /* starts by itself: a machine with such a block runs without an app until its work is done */
#define HD_BLOCK_DECODES 32u /* routes accesses from its target ports to its initiator ports, by address */

/* Addresses that a block owns. Two windows in one address space must not overlap. Physical memory is one address
 * space; each memory target port has a space of its own, which contains physical memory and the windows of that port. */
#define HD_WINDOW_SHARED 1u /* shared windows, of several blocks, may overlap each other */
typedef struct hd_window {
    const char *name;
    const char *port;      /* target port at which it is visible; NULL = physical memory */
    uint64_t base;         /* first address */
    uint64_t bytes;        /* size of one unit; > 0 */
    const char *parameter; /* HD_TYPE_UNSIGNED; its value is the number of units; NULL = one unit */
    uint32_t flags;        /* HD_WINDOW_* */
    uint32_t reserved;
    const char *doc;
    const char *base_parameter; /* HD_TYPE_UNSIGNED; its value is added to base; NULL = none */
} hd_window;

/* Blocks that have a structure, for its bytes. */
typedef struct hd_structure_use {
    const hd_value *values; /* of the block, of a unit its own */
    uint64_t parameter;     /* the value of the block's parameter that the structure names */
    uint64_t other;         /* likewise, of `other` */
    uint64_t count;         /* of blocks */
} hd_structure_use;

/* A structure that a plain GPU does not have, for estimates of area and power: a published one, from whose figures those of
 * others follow in proportion to their bytes, and power also to their clock. Rows of one name that follow one another are
 * publications of one structure, in different processes: the first counts, the others where all is to be in their process. */
typedef struct hd_structure {
    const char *name;    /* "write buffers of the commit units" */
    const char *source;  /* "Ren & Lis 2018, Table V" */
    const char *process; /* "32 nm" */
    /* The published one, of all blocks of a machine together. Of parts of other memories, and of what only has a published size, area and power
     * are 0, and the process NULL. */
    double reference_bytes;
    double square_millimetres;
    double milliwatts; /* dynamic and static, accessed in every cycle */
    double megahertz;
    const char *parameter;                        /* of the block; NULL: none, whose value is 0 */
    const char *other;                            /* likewise */
    double (*bytes)(const hd_structure_use *use); /* of all these blocks. 0: there is none */
} hd_structure;

/* A combination of values that makes no sense, and the parameters that the user should look at. */
typedef struct hd_conflict {
    uint32_t parameter; /* index in parameters */
    uint32_t other;     /* index of the second one, or again that of the first */
    char text[192];     /* one line: "schedulers (9) exceed warps (8)" */
} hd_conflict;

/* ---- What the platform offers a block --------------------------------------------------------------------------- */

/* A link, as passed to connect; both ends get the same pointer. */
typedef struct hd_link hd_link;

#define HD_LOG_DEBUG 0u
#define HD_LOG_INFO 1u
#define HD_LOG_WARNING 2u
#define HD_LOG_PROGRAM 3u /* output of the simulated program, such as a line of a kernel's printf */

/*
 * The first argument of every function is the context of this struct. All may be called from create on, the link
 * functions from connect on. Each block has its own: no call accesses another block's state.
 */
typedef struct hd_services {
    uint32_t abi_version;
    uint32_t struct_bytes;
    void *context;
    const char *name;  /* instance name, e.g. "core[3]"; valid as long as the block */
    uint32_t index;    /* position in its array: 3 */
    uint32_t count;    /* size of its array */
    uint32_t endpoint; /* this instance's number for packet.source and packet.destination */
    uint32_t reserved;
    hd_clock clock; /* the block's clock */

    /* Interned number of a message type. Call it in create and keep the number. */
    uint32_t (*message)(void *context, const char *name);

    /* A packet with a zeroed header and room for body_bytes (<= HD_PACKET_STREAM_MAX); never NULL. */
    hd_packet *(*alloc)(void *context, uint32_t body_bytes);
    void (*free)(void *context, hd_packet *packet);

    /* Credits that the sender holds at time t. If there is none, the sender is woken when the next one arrives. */
    uint32_t (*credits)(void *context, hd_link *link, hd_time t);
    /* Consumes one credit and takes ownership of the packet, which arrives at t + latency. t is an edge of the sender's
     * clock and never decreases on one link. Sending without a credit is a model error. */
    void (*send)(void *context, hd_link *link, hd_packet *packet, hd_time t);
    /* Oldest packet that has arrived by t, or NULL. It remains the platform's. */
    const hd_packet *(*peek)(void *context, hd_link *link, hd_time t);
    /* Removes that packet, which is then the caller's; its credit reaches the sender one credit latency later. NULL if
     * there is none. */
    hd_packet *(*pop)(void *context, hd_link *link, hd_time t);
    /* Arrival time, past or future, of the oldest packet that has not been popped; HD_NEVER if the link is empty. */
    hd_time (*arrival)(void *context, hd_link *link);

    /* Element of a send port that leads to the endpoint; UINT32_MAX if there is none. Call it in reset or later. */
    uint32_t (*route)(void *context, uint32_t port, uint32_t endpoint);

    /* The block's own random stream, seeded with (seed of the run, instance name). reset restarts it. */
    uint64_t (*random)(void *context);

    void (*log)(void *context, uint32_t severity, hd_time t, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 4, 5)))
#endif
        ;
    /* An error of the program or the machine: the run ends with this text, which says what happened, where and to whom.
     * If there are several, the first by (time, block index) is shown. */
    void (*fault)(void *context, hd_time t, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 3, 4)))
#endif
        ;
    /* Reports progress, for the detection of hangs: thread exit, barrier release, commit, changed word of shared memory.
     * Work that shows in none of these is asked for: HD_EXTENSION_COMPUTES. */
    void (*progress)(void *context, hd_time t);

    /* A named, versioned service (hd_extension.h), or NULL. Ask once, in create. */
    const void *(*extension)(void *context, const char *id);

    /* Arrival time, past or future, of the oldest credit that `credits` has not counted. HD_NEVER if none is in flight; the
     * sender is then woken by the next one. A block that looks ahead calls this whenever it waits for a credit. */
    hd_time (*credit_arrival)(void *context, hd_link *link);

    /* For a class that looks ahead: returns 1 and an element of a port that has packets in flight now, and for which
     * `arrival` last returned HD_NEVER or has not been called since reset. 0: there is no other. Each is returned once. */
    uint32_t (*filled)(void *context, uint32_t *port, uint32_t *element);
} hd_services;

/* Where the number of a message type is kept. */
typedef struct hd_message_number {
    uint32_t *number;
    const char *name;
} hd_message_number;

/* In create, for all that a block keeps. */
static inline void hd_number_messages(const hd_services *services, const hd_message_number *messages, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *messages[i].number = services->message(services->context, messages[i].name);
}

/* ---- What a block offers the platform ---------------------------------------------------------------------------- */

typedef struct hd_block hd_block; /* a block's own type, cast */

#define HD_DEBUG_GRAIN_BYTES 32u /* blocks take writes in aligned pieces of this size, or in multiples of it */

typedef struct hd_block_class {
    uint32_t abi_version; /* HD_ABI_VERSION */
    uint32_t struct_bytes;
    const char *kind;   /* role in a machine: "l2_slice" */
    const char *type;   /* implementation: "write_back" */
    const char *doc;    /* one line */
    const char *source; /* publication: "Fung 2015 §2.3.3" */
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

    /* Checks a combination of values (parameter_count of them, each of its type and in its range). Returns 1, or 0 and a
     * conflict. No side effects; called before anything is built, so that the user sees the lines in question. NULL:
     * every combination is valid. */
    uint32_t (*check)(const hd_value *values, hd_clock clock, hd_conflict *conflict);
    /* values have passed check. services is valid as long as the block. Returns NULL and one line in error for problems
     * that can only be detected now. */
    hd_block *(*create)(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
    /* Binds element `element` of port `port` (index in ports). out or in is NULL if the direction has none. */
    void (*connect)(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
    /* Restores the state after power-on, statistics included, at time 0. The links are empty. */
    void (*reset)(hd_block *block);
    /* Does everything with time < horizon. Returns the next time at which it has work without further input, or HD_NEVER.
     * A packet or an awaited credit wakes it in any case. A superfluous call changes nothing. Unless the class looks ahead
     * (HD_BLOCK_LOOKS_AHEAD), no call spans the arrival of a packet or a credit: the next call begins at the first edge
     * at or after it. */
    hd_time (*advance)(hd_block *block, hd_time now, hd_time horizon);
    /* Earliest time, >= now, at which it could send on or pop from any link, given what has already arrived or is in
     * flight. NULL = whenever it has work. Later promises make wider windows. */
    hd_time (*promise)(hd_block *block, hd_time now);
    /* statistic_count values in declaration order; valid until destroy. */
    const uint64_t *(*counters)(hd_block *block);
    /* Untimed access to data that this block holds, when all blocks have reached the same time; never called by model
     * code. Returns how many of the bytes, starting at address, it holds (0 = none: whoever is below it at its initiator
     * ports is asked for them, up to the next multiple of HD_DEBUG_GRAIN_BYTES, and then the block for those among them
     * that it holds). A block that keeps copies of what lies below takes writes into them or drops them, and hands out
     * those that are newer. With HD_BLOCK_ADDRESS_MAP it stands in front of the partitions: whoever asks, it is asked before
     * them. NULL = holds no data. */
    uint32_t (*debug_access)(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);
    void (*destroy)(hd_block *block);
    /* Optional ability with a versioned id (hd_extension.h), or NULL. The function pointer itself may be NULL. */
    const void *(*extension)(hd_block *block, const char *id);

    const hd_trace_event *trace_events; /* trace_event_count of them */
    uint32_t trace_event_count;

    /* Units that the block is put together from (hd_unit.h). */
    uint32_t unit_slot_count;
    const struct hd_unit_slot *unit_slots;
    const struct hd_composition *composition; /* set by the platform; NULL in a declaration */

    const hd_structure *structures; /* structure_count of them */
    uint32_t structure_count;
    uint32_t energy_event_count;
    const hd_energy_event *energy_events;
} hd_block_class;

#ifdef __cplusplus
}
#endif

#endif

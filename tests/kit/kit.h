/* SPDX-License-Identifier: MIT */
/*
 * The test kit: one block, with nothing but the test at its other ends.
 *
 *     kit_block *kit = kit_create(&l2_slice_write_back, (const char *[]){"ways=4", "bytes=8 KiB", NULL});
 *     kit_connect(kit, PORT_NETWORK, 0, 1, 4);                  // latency 1 cycle, 4 credits
 *     hd_packet *load = kit_packet(kit, HD_GLOBAL_LOAD, 0);
 *     kit_send(kit, PORT_NETWORK, 0, load, 0);                  // arrives at 0 ps
 *     kit_run_until(kit, 100000);
 *     hd_packet *reply = kit_receive(kit, PORT_REPLY, 0, 100000);
 *     kit_free(kit, reply);
 *     kit_destroy(kit);
 *
 * Misuse by the test (an unknown parameter or statistic, an unbound port) is printed and aborts the test. A fault of the
 * block aborts it too, unless kit_expect_fault was called. All memory is freed by kit_destroy.
 */
#ifndef HEDDLE_TEST_KIT_H
#define HEDDLE_TEST_KIT_H

#include <stddef.h>
#include <stdint.h>

#include "hd_block.h"
#include "hd_extension.h"
#include "hd_message.h"
#include "kit_random.h"

typedef struct kit_block kit_block;

/* ---- Setting up: before kit_start ------------------------------------------------------------------------------- */

/* parameters: "name=value" texts as a netlist writes them ("bytes=48 KiB"), NULL at the end; NULL = all defaults. The
 * block itself is created by kit_start. */
kit_block *kit_create(const hd_block_class *block_class, const char *const *parameters);
void kit_destroy(kit_block *kit);
/* Blocks that are created from now on may choose this unit besides those that they declare, and do so unless the parameters say
 * otherwise. NULL: no other. */
struct hd_unit;
void kit_fit_unit(const struct hd_unit *unit);

void kit_clock(kit_block *kit, uint64_t hz);       /* default 10^9: a cycle is 1000 ps; before kit_connect */
void kit_other_clock(kit_block *kit, uint64_t hz); /* one more clock in use, for rendezvous */
void kit_name(kit_block *kit, const char *name, uint32_t index, uint32_t count); /* default "block", 0 of 1 */
void kit_seed(kit_block *kit, uint64_t seed);                                    /* default 1 */
void kit_provide(kit_block *kit, const char *id, const void *extension);         /* platform extension; borrowed */
void kit_endpoint(kit_block *kit, uint32_t endpoint);                            /* default 0; at most 63 */
/* "heddle.address_map/2"; default: 2 partitions of 256 bytes at endpoints 1 and 2. endpoints NULL: 1, 2, ... */
void kit_address_map(kit_block *kit, uint32_t partitions, uint32_t interleave_bytes, const uint32_t *endpoints);
/* One with groups or a hash; what it points to is borrowed. */
void kit_provide_map(kit_block *kit, const hd_address_map *map);

/* Binds an element of a port to the test. latency: cycles of the block's clock, for packets and for credits alike, 0 =
 * as declared; credits: of links either way, 0 = as declared, or 8 where the block declares none. */
void kit_connect(kit_block *kit, uint32_t port, uint32_t element, uint32_t latency, uint32_t credits);
/* The same with times in ps: of packets that leave, and of credits either way. */
void kit_connect_ps(kit_block *kit, uint32_t port, uint32_t element, hd_time latency, hd_time credit_latency,
                    uint32_t credits);
/* Element of a send port that leads to an endpoint. Default: the element numbered as the endpoint if it is bound, else
 * element 0. */
void kit_route(kit_block *kit, uint32_t port, uint32_t endpoint, uint32_t element);

/* The test listens to the block at an element of its port of direction TAPPED (hd_tap.h). */
struct hd_tap;
void kit_tap(kit_block *kit, uint32_t port, uint32_t element, const struct hd_tap *tap, void *context);

/* The other way round: each element that a port of direction TAP needs, or that kit_connect binds, listens to an ordering point of
 * the kit's, and the test says what that accepts, at a time before which the block has done everything (after kit_run_until, or in a responder). */
struct hd_tap_access;
uint32_t kit_tap_sample(kit_block *kit, uint32_t port, uint32_t element, const struct hd_tap_access *access,
                        uint64_t *note);
uint32_t kit_tap_write(kit_block *kit, uint32_t port, uint32_t element, const struct hd_tap_access *access,
                       uint64_t *note);

/* Creates, connects and resets the block. Ports that need an element and have none are bound with declared values. Done
 * by the first call that needs it; aborts the test if the block refuses. */
void kit_start(kit_block *kit);
/* 1 if check or create refuses these parameters (or they do not fit the declaration); the text goes to error. */
uint32_t kit_refuses(const hd_block_class *block_class, const char *const *parameters, char *error, size_t error_bytes);
/* Back to power-on: empties trace, queues and statistics. */
void kit_reset(kit_block *kit);
/* Random horizons and calls too many from here on; results must not change. 0 = off. */
void kit_disturb(kit_block *kit, uint64_t seed);
/* At random times from here on the run stops, and a new block in the state of the old one takes its place (hd_state.h); results must
 * not change. seed 0 = off. kit_instance changes. only_stops: the same, but the block stays. */
void kit_renew(kit_block *kit, uint64_t seed, uint32_t only_stops);

/* The machine has memory that is touched directly (hd_direct.h), and it is the test's: zero after kit_start and kit_reset.
 * A block with HD_BLOCK_DIRECT has it anyway. Before kit_start. */
void kit_direct(kit_block *kit);
void kit_memory_read(kit_block *kit, uint64_t address, void *data, uint32_t bytes);
void kit_memory_write(kit_block *kit, uint64_t address, const void *data, uint32_t bytes);

/* ---- Packets ---------------------------------------------------------------------------------------------------- */

uint32_t kit_message(kit_block *kit, const char *name);
const char *kit_message_name(kit_block *kit, uint32_t message);
/* Zeroed header and body; message, body_bytes and wire_bytes (the header's) are set. */
hd_packet *kit_packet(kit_block *kit, const char *message, uint32_t body_bytes);
void kit_free(kit_block *kit, hd_packet *packet);

/* The packet arrives at the block at t (>= kit_now; not before the last on this port element), or as soon after t as the
 * block has returned a credit. Takes the packet. */
void kit_send(kit_block *kit, uint32_t port, uint32_t element, hd_packet *packet, hd_time t);
/* Packets that kit_send took and the block has not yet room for. */
uint32_t kit_unsent(kit_block *kit, uint32_t port, uint32_t element);
/* Runs until t; then the oldest packet from the block that has arrived by t, or NULL. It is the test's to free. */
hd_packet *kit_receive(kit_block *kit, uint32_t port, uint32_t element, hd_time t);
/* Arrival time of the packet last returned by kit_receive. */
hd_time kit_received_at(kit_block *kit);
/* Packets arrived and not yet received. */
uint32_t kit_waiting(kit_block *kit, uint32_t port, uint32_t element);

/* The test takes packets as they arrive, and their credits go back at once. hold = 1: credits stay here until
 * kit_release_credits, so that the block starves. */
void kit_hold_credits(kit_block *kit, uint32_t port, uint32_t element, uint32_t hold);
/* Up to n held credits leave at t (>= kit_now) and reach the block one credit latency later. Returns how many. */
uint32_t kit_release_credits(kit_block *kit, uint32_t port, uint32_t element, uint32_t n, hd_time t);

/* Called when a packet arrives at the test, in order of (time, port, element); it may kit_send with t >= now. The packet
 * is still queued for kit_receive afterwards unless the function returns 1, having taken it. */
typedef uint32_t kit_responder(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                               hd_time t);
void kit_respond(kit_block *kit, kit_responder *responder, void *context);

/* One access to a device: sent to element 0 of a memory target port now (after what is done at kit_now), run until its
 * answer is there. Returns HD_STATUS_*; *value is read or written. */
uint32_t kit_register_read(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint64_t *value);
uint32_t kit_register_write(kit_block *kit, uint32_t port, uint64_t address, uint32_t bytes, uint64_t value);
/* As a debugger does it (hd_debug.h), without time: how many bytes. */
uint32_t kit_register_peek(kit_block *kit, uint64_t address, void *data, uint32_t bytes);
uint32_t kit_register_poke(kit_block *kit, uint64_t address, const void *data, uint32_t bytes);

/* ---- Time -------------------------------------------------------------------------------------------------------- */

/* Everything before t is done and what arrives by t has arrived. */
void kit_run_until(kit_block *kit, hd_time t);
/* Runs until nothing is left to do, or until limit. Returns the time of the last work done, at most limit. */
hd_time kit_drain(kit_block *kit, hd_time limit);
hd_time kit_now(kit_block *kit);
void kit_wake(kit_block *kit);                  /* the test has changed the block by an extension: it is called now */
hd_time kit_next(kit_block *kit);               /* when the block next has work; HD_NEVER if it sleeps */
hd_time kit_edge(kit_block *kit, uint64_t n);   /* time of edge n of the block's clock */
hd_time kit_cycles(kit_block *kit, uint64_t n); /* length of n cycles, rounded down */
uint64_t kit_calls(kit_block *kit);             /* how often advance was called since start */

/* ---- What the block did ------------------------------------------------------------------------------------------- */

uint64_t kit_statistic(kit_block *kit, const char *name);
hd_block *kit_instance(kit_block *kit); /* to call debug_access or extension directly */
uint32_t kit_debug_read(kit_block *kit, uint64_t address, void *data, uint32_t bytes);
uint32_t kit_debug_write(kit_block *kit, uint64_t address, const void *data, uint32_t bytes);

/* One packet that the block sent. */
typedef struct kit_event {
    hd_time t; /* when it was sent */
    uint32_t port;
    uint32_t element;
    hd_packet packet;   /* the header */
    uint64_t body_hash; /* of body_bytes bytes */
} kit_event;
/* All of them in order of (time, port, element); valid until the next call. */
const kit_event *kit_trace(kit_block *kit, uint32_t *count);

/* Trace events (hd_trace.h). Before kit_start: the block is traced. */
void kit_record(kit_block *kit);
typedef struct kit_traced {
    hd_time t;
    uint32_t form;     /* HD_TRACED_* (engine.h): 0 begin, 1 end, 2 instant, 3 counter, 4 flow */
    const char *event; /* its name */
    const char *track; /* "block", "warp[5]" */
    uint64_t values[HD_TRACE_VALUES_MAX];
} kit_traced;
/* Those recorded so far, in order; valid until the next call. What breaks the rules of hd_trace.h aborts the test. */
const kit_traced *kit_recorded(kit_block *kit, uint32_t *count);
/* How many of this name. */
uint32_t kit_recorded_count(kit_block *kit, const char *event);

/* One number for trace, statistics, trace events and fault. */
uint64_t kit_fingerprint(kit_block *kit);

void kit_expect_fault(kit_block *kit);
const char *kit_fault_text(kit_block *kit); /* NULL: none */
hd_time kit_fault_time(kit_block *kit);
const char *kit_log(kit_block *kit); /* all log lines, each ended by a newline; "" if none */
hd_time kit_progress(kit_block *kit);
/* What the block says that it waits for (HD_EXTENSION_PENDING), each line ended by a newline; "" if nothing. Valid until the next
 * call. */
const char *kit_described(kit_block *kit);

typedef struct kit_rendezvous {
    hd_time t; /* when it was kept */
    uint32_t what;
    uint64_t argument;
} kit_rendezvous;
/* Rendezvous kept so far; those with HD_RENDEZVOUS_ALIGN have aligned the block. */
const kit_rendezvous *kit_rendezvous_kept(kit_block *kit, uint32_t *count);
/* Aligns the block now; it must be idle. */
void kit_align(kit_block *kit);
/* What the block wrote back when aligned. Default: recorded only. */
typedef void kit_write_back(kit_block *kit, void *context, uint64_t address, const void *data, uint32_t bytes);
void kit_on_write_back(kit_block *kit, kit_write_back *function, void *context);

/* ---- Conformance -------------------------------------------------------------------------------------------------- */

/* Connects ports, provides extensions, sets the responder. */
typedef void kit_setup(kit_block *kit);
/* Sends a random but, by seed, repeatable load; may run the block. It is drained afterwards. */
typedef void kit_stimulus(kit_block *kit, uint64_t seed);
/*
 * What every class of block has to satisfy; one line of its test:
 *     cr_expect_eq(kit_conformance(&my_class, NULL, connect_ports, random_load), 0);
 * Declaration tables, life cycle, refusal of bad parameters, double reset, two instances, random horizons, conservation of
 * packets and credits, also of packets when it is reset in the middle of its work; saved and restored at random times, if it
 * offers that. setup NULL: every port with its minimum,
 * at least one element. Returns the number of findings, each printed with its seed.
 */
uint32_t kit_conformance(const hd_block_class *block_class, const char *const *parameters, kit_setup *setup,
                         kit_stimulus *stimulus);
/* Values of a block's parameters, for tests that build an engine of several blocks. Texts are borrowed; aborts the test if
 * they do not fit the declaration. */
void kit_values(const hd_block_class *block_class, const char *const *parameters, hd_value *values);
/* The part that needs only the tables. */
uint32_t kit_check_declaration(const hd_block_class *block_class);

#endif

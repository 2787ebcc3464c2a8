/* SPDX-License-Identifier: MIT */
#ifndef CROSSBAR_STATE_H
#define CROSSBAR_STATE_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_work.h"

#define CROSSBAR_PORTS 64u /* of one direction: a set of ports is one 64-bit word */

enum { PORT_INPUT, PORT_OUTPUT, PORT_COUNT };
enum { PARAMETER_FLIT_BYTES, PARAMETER_LATENCY, PARAMETER_COUNT };
enum {
    STATISTIC_PACKETS,
    STATISTIC_FLITS,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_QUEUEING_CYCLES,
    STATISTIC_CREDIT_STALLS,
    STATISTIC_CREDIT_STALL_CYCLES,
    STATISTIC_CONTENTION_MAXIMUM,
    STATISTIC_BYTES_OTHER,
    STATISTIC_BYTES, /* one for each HD_CLASS_* */
    STATISTIC_COUNT = STATISTIC_BYTES + HD_CLASS_COUNT
};

struct flight {
    uint64_t edge; /* at which the tail leaves */
    hd_packet *packet;
    uint32_t output;
};

struct input {
    hd_link *link;
    hd_time arrival;    /* of the oldest packet in the link; HD_NEVER = none is known */
    uint64_t free_edge; /* first edge at which it can look at the next packet */
    uint32_t output;    /* where its head wants to go */
    uint32_t flits;
    struct flight *flights; /* ring, ordered by edge */
    uint32_t first_flight;
    uint32_t flight_count;
};

struct output {
    hd_link *link;
    uint64_t free_edge;     /* first edge at which it can take the next packet */
    uint64_t requests;      /* inputs whose heads want it */
    uint64_t blocked_since; /* edge at which a grant first failed for lack of a credit; UINT64_MAX = not blocked */
    uint32_t next_input;    /* where the round robin starts */
    uint32_t flight_count;  /* packets on the way to it */
};

struct crossbar;

/* What makes a type: lets heads go through the outputs of the set at edge n, and sets grant_edge for those left. */
typedef void crossbar_arbiter(struct crossbar *crossbar, uint64_t n, hd_time t, uint64_t outputs);

struct crossbar {
    const hd_services *services;
    uint32_t flit_bytes;
    uint32_t latency;
    uint32_t ring_size; /* flights of one input, a power of two */
    crossbar_arbiter *arbitrate;
    uint64_t inputs_bound;
    uint64_t heads;     /* inputs whose head is known and waits in some output's requests */
    uint64_t requested; /* outputs with requests */
    uint64_t flying;    /* inputs with flights */
    uint64_t blocked;   /* outputs that failed to grant for lack of a credit */
    /* Earliest edges with something to deliver, grant or look at; heads also arrive. */
    uint64_t delivery_edge;
    uint64_t grant_edge;
    hd_work head_work;
    uint64_t busy_end; /* first edge after the last flit granted so far */
    hd_cursor cursor;  /* first edge not yet dealt with */
    struct input inputs[CROSSBAR_PORTS];
    struct output outputs[CROSSBAR_PORTS];
    uint16_t routes[UINT16_MAX + 1]; /* output by endpoint, as far as known */
    uint64_t statistics[STATISTIC_COUNT];
};

crossbar_arbiter crossbar_round_robin, crossbar_ideal;

/* Is there a credit of the output's link for one more packet? Those in flight have theirs. Counts stalls. */
uint32_t crossbar_has_credit(struct crossbar *crossbar, uint32_t output, uint64_t n, hd_time t);
/* The head of the input, which requests the output, leaves. */
void crossbar_grant(struct crossbar *crossbar, uint32_t output, uint32_t input, uint64_t n, hd_time t);

/* Extensions by id (hd_block_class.extension). */
const void *crossbar_extension(hd_block *block, const char *id);

hd_block *crossbar_create(const hd_services *services, const hd_value *values, crossbar_arbiter *arbitrate, char *error,
                          size_t error_bytes);
void crossbar_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void crossbar_reset(hd_block *block);
hd_time crossbar_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time crossbar_promise(hd_block *block, hd_time now);
void crossbar_destroy(hd_block *block);

#endif

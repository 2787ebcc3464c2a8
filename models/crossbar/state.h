/* SPDX-License-Identifier: MIT */
#ifndef CROSSBAR_STATE_H
#define CROSSBAR_STATE_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "routes.h"
#include "sets.h"

#define CROSSBAR_ELEMENTS SET_MEMBERS /* links of one direction */
#define CROSSBAR_LANES 8u
#define CROSSBAR_CHANNELS 8u
#define CROSSBAR_QUEUES 64u     /* of one input port: a set of them is one word */
#define CROSSBAR_FLIGHTS 16384u /* of one input port at most */

enum { PORT_INPUT, PORT_OUTPUT, PORT_COUNT };
enum {
    PARAMETER_FLIT_BYTES,
    PARAMETER_LATENCY,
    PARAMETER_QUEUES,
    PARAMETER_QUEUE_DEPTH,
    PARAMETER_CHANNELS,
    PARAMETER_CHANNEL_BY,
    PARAMETER_INPUTS_PER_PORT,
    PARAMETER_PORT_SHARING,
    PARAMETER_MULTICAST_FANOUT,
    PARAMETER_CONTEXT_PATH,
    PARAMETER_CONTEXT_SETUP,
    PARAMETER_IDEAL_COUNT,
    PARAMETER_OUTPUTS_PER_PORT = PARAMETER_IDEAL_COUNT,
    PARAMETER_INPUT_SPEEDUP,
    PARAMETER_ROUND_ROBIN_COUNT,
    PARAMETER_ITERATIONS = PARAMETER_ROUND_ROBIN_COUNT,
    PARAMETER_COUNT
};
enum { QUEUES_FIFO, QUEUES_VIRTUAL_OUTPUT };
enum { CHANNEL_BY_UNIT, CHANNEL_BY_CLASS };
enum { SHARING_NEIGHBOURS, SHARING_STRIDE };
enum {
    STATISTIC_PACKETS,
    STATISTIC_FLITS,
    STATISTIC_BUSY_CYCLES,
    STATISTIC_QUEUEING_CYCLES,
    STATISTIC_CREDIT_STALLS,
    STATISTIC_CREDIT_STALL_CYCLES,
    STATISTIC_CONTENTION_MAXIMUM,
    STATISTIC_MULTICAST_PACKETS,
    STATISTIC_MULTICAST_COPIES,
    STATISTIC_MULTICAST_BYTES,
    STATISTIC_SHARED_COPIES,
    STATISTIC_CONTEXT_SETUPS,
    STATISTIC_CLASS_PACKETS, /* one for each HD_CLASS_*, and others */
    STATISTIC_OTHER_PACKETS = STATISTIC_CLASS_PACKETS + HD_CLASS_COUNT,
    STATISTIC_CLASS_BYTES, /* likewise */
    STATISTIC_OTHER_BYTES = STATISTIC_CLASS_BYTES + HD_CLASS_COUNT,
    STATISTIC_COUNT
};

/* A packet on its way to an output. */
struct flight {
    uint64_t edge; /* at which the tail leaves */
    hd_packet *packet;
    uint16_t output, input;
};

/* A packet that waits. */
struct entry {
    hd_packet *packet; /* NULL: it is the first of the link */
    hd_time arrival;
    uint32_t flits : 30, has_path : 1, is_plain : 1; /* plain: of a plain crossbar, with one destination */
    uint16_t outputs;                                /* it still has to go to */
    uint16_t output;                                 /* the only one, if there was only one to begin with */
};

#define LIST_END UINT16_MAX
struct list {
    uint16_t first, last; /* of nodes */
};
struct node {
    uint16_t entry, next;
};

/* The packets of one channel of an input. A packet is in one list for each of its outputs, or in the only list. */
struct buffer {
    struct entry *entries;
    struct node *nodes;
    struct list *lists;
    uint16_t *free_entries; /* stacks */
    uint16_t *free_nodes;
    uint32_t free_entry_count, free_node_count;
};

/* Packets of an input for one output that wait in buffers, all of them in one channel. */
struct order {
    uint16_t channel, packets;
};

/* One link in. */
struct element {
    hd_link *link;
    hd_time arrival;        /* of the oldest packet in the link that is not looked at; HD_NEVER = none is known */
    uint32_t port;          /* input port that it shares */
    uint32_t queue;         /* its first queue there: one for each channel */
    struct entry head;      /* without buffers: first packet of the link; outputs = 0: not looked at */
    struct buffer *buffers; /* by channel; NULL: the link is the queue */
    struct order *order;    /* by output, where a channel does not follow from the destination; else NULL */
};

/* Input port: what moves flits. */
struct input {
    uint64_t free_edge; /* first edge at which it can send, with any of its lanes */
    uint64_t lanes[CROSSBAR_LANES];
    uint64_t *wants; /* by output: queues with a packet for it */
    set wanted;      /* outputs that any queue wants */
    uint32_t wanted_count;
    set grants;      /* during arbitration */
    uint32_t turn;   /* queue to begin with */
    uint32_t accept; /* output to begin with */
    uint32_t path;   /* output to which it has been set up for contexts, and 1; 0: none */
};

/* One link out. */
struct output {
    hd_link *link;
    uint64_t blocked_since; /* edge at which a grant first failed for lack of a credit; UINT64_MAX = not blocked */
    set requests;           /* input ports that want it and can send */
    uint32_t port;          /* output port that it shares */
    uint32_t next_input;    /* where the round robin starts */
    uint32_t flight_count;  /* packets on the way to it */
    uint32_t spare;         /* credits beyond those, as far as known: there are no fewer */
    uint32_t path;          /* input port that has been set up to it for contexts, and 1 */
};

struct output_port {
    uint64_t free_edge;    /* first edge at which it can take the next packet */
    uint32_t next_element; /* where its round robin over the links that share it starts */
};

struct crossbar;

/* What makes a type: lets packets go through at edge n, and sets grant_edge for those left. */
typedef void crossbar_arbiter(struct crossbar *crossbar, uint64_t n, hd_time t);

struct crossbar {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t output_tracks;
    uint32_t flit_bytes, flit_shift, latency, virtual_output, queue_depth, channels, channel_by;
    uint32_t inputs_per_port, outputs_per_port, fanout, speedup, iterations;
    uint32_t path_bytes; /* of contexts per cycle, point to point; 0: as all others */
    uint32_t path_setup; /* cycles to set up such a path */
    uint32_t is_ideal, is_strided;
    crossbar_arbiter *arbitrate; /* its type's, or that of plain ones */
    crossbar_arbiter *of_type;
    uint32_t is_plain;                    /* plain.c */
    uint32_t element_count, output_count; /* the highest bound, plus one */
    uint32_t element_words, output_words;
    uint32_t stride, output_stride; /* where it is strided: between the links that share a port */
    set watched;                    /* elements whose first packet is known and not looked at */
    set empty;                      /* elements without one */
    set full;                       /* elements whose first packet finds no room in its buffer */
    set hidden;                     /* input ports that want something and cannot send */
    set requested;                  /* outputs with requests */
    set blocked;                    /* outputs that failed to grant for lack of a credit */
    uint32_t any_blocked;
    uint32_t asking;       /* a credit may have come: blocked outputs are asked too */
    uint32_t first_output; /* that chooses first, where that matters: */
    uint32_t takes_turns;  /* an input port may have something for several outputs */
    /* Earliest edges with something to deliver, grant or look at; heads also arrive. */
    uint64_t grant_edge;
    hd_work head_work;
    uint64_t busy_end;      /* first edge after the last flit granted so far */
    hd_cursor cursor;       /* first edge not yet dealt with */
    struct flight *flights; /* ring, by edge and input */
    uint32_t first_flight, flight_count, flight_mask;
    struct element elements[CROSSBAR_ELEMENTS];
    struct input inputs[CROSSBAR_ELEMENTS];
    struct output outputs[CROSSBAR_ELEMENTS];
    struct output_port ports[CROSSBAR_ELEMENTS];
    routes routes;
    uint64_t statistics[STATISTIC_COUNT];
};

crossbar_arbiter crossbar_round_robin, crossbar_plain_round_robin, crossbar_islip, crossbar_ideal;

/* ---- Heads and buffers (admit.c, buffer.c) */

/* Takes in what has arrived, and shows what can be sent again. */
void crossbar_update_heads(struct crossbar *crossbar, uint64_t n, hd_time t);
/* One element, whose packet has arrived. */
void crossbar_update_head(struct crossbar *crossbar, uint32_t element, uint64_t n, hd_time t);
/* When to look at the element again, seen from edge n. */
void crossbar_expect(struct crossbar *crossbar, uint32_t element, uint64_t n);
/* Asks the links for the arrival of what comes next. */
void crossbar_refresh(struct crossbar *crossbar);
/* The packet is among what the queue of its port has for these outputs. */
void crossbar_add_demand(struct crossbar *crossbar, uint32_t input, uint32_t queue, uint32_t output, uint64_t n);
uint32_t crossbar_has_buffers(const struct crossbar *crossbar);

/* Cycles for which a packet takes its ports, unless it has a path. */
static inline uint32_t crossbar_flits(const struct crossbar *crossbar, const hd_packet *packet)
{
    const uint32_t bytes = packet->wire_bytes + crossbar->flit_bytes - 1;
    const uint32_t flits = crossbar->flit_shift ? bytes >> crossbar->flit_shift : bytes / crossbar->flit_bytes;
    return flits ? flits : 1;
}

/* Of a buffer of that depth. */
uint32_t buffer_nodes(uint32_t depth);
uint32_t buffer_create(struct buffer *buffer, uint32_t depth, uint32_t lists);
void buffer_destroy(struct buffer *buffer);
void buffer_reset(struct buffer *buffer, uint32_t depth, uint32_t lists);
/* Room for a packet for so many outputs, one after the other in `lists`? */
uint32_t buffer_has_room(const struct buffer *buffer, uint32_t nodes);
struct entry *buffer_add(struct buffer *buffer);
/* At the end of a list; returns 1 if the list was empty. */
uint32_t buffer_append(struct buffer *buffer, struct entry *entry, uint32_t list);
struct entry *buffer_first(const struct buffer *buffer, uint32_t list);
/* Takes the first away; returns 1 if the list is empty now. */
uint32_t buffer_advance(struct buffer *buffer, uint32_t list);
void buffer_remove(struct buffer *buffer, struct entry *entry);

/* ---- Transfers (transfer.c) */

/* Is there a credit of the output's link for one more packet? Those in flight have theirs. Counts stalls. */
uint32_t crossbar_has_credit(struct crossbar *crossbar, uint32_t output, uint64_t n, hd_time t);
/* The same, of whoever does not have to wait. */
static inline uint32_t crossbar_can_send(const struct crossbar *crossbar, struct output *output, hd_time t)
{
    if (output->spare)
        return 1;
    const hd_services *services = crossbar->services;
    const uint32_t credits = services->credits(services->context, output->link, t);
    if (credits <= output->flight_count)
        return 0;
    output->spare = credits - output->flight_count;
    return 1;
}
/* What a queue of an input port has for an output. */
struct entry *crossbar_entry(struct crossbar *crossbar, uint32_t input, uint32_t queue, uint32_t output);
/* That leaves. The output is free and has a credit. */
void crossbar_grant(struct crossbar *crossbar, uint32_t output, uint32_t input, uint32_t queue, uint64_t n, hd_time t);
/* Shows what an input port wants to the outputs, or hides it. */
void crossbar_unhide(struct crossbar *crossbar, uint32_t input);
void crossbar_hide(struct crossbar *crossbar, uint32_t input);
void crossbar_request(struct crossbar *crossbar, uint32_t input, uint32_t output);
void crossbar_deliver(struct crossbar *crossbar, uint64_t n, hd_time t);
/* A packet that leaves is in the statistics of time. */
static inline void crossbar_count_pass(struct crossbar *crossbar, hd_time arrival, uint32_t flits, uint64_t n)
{
    uint64_t *statistics = crossbar->statistics;
    const uint64_t end = n + flits;
    const uint64_t idle_from = crossbar->busy_end > n ? crossbar->busy_end : n;
    statistics[STATISTIC_FLITS] += flits;
    if (end > idle_from) {
        statistics[STATISTIC_BUSY_CYCLES] += end - idle_from;
        crossbar->busy_end = end;
    }
    if (crossbar->cursor.t - arrival >= crossbar->cursor.step) /* else it came since the last edge */
        statistics[STATISTIC_QUEUEING_CYCLES] += n - hd_cursor_index_of(&crossbar->cursor, arrival);
}

/* Puts the packet on its way: behind those that leave earlier. */
static inline void crossbar_fly(struct crossbar *crossbar, uint64_t edge, hd_packet *packet, uint32_t output,
                                uint32_t input)
{
    const uint32_t mask = crossbar->flight_mask;
    uint32_t slot = crossbar->first_flight + crossbar->flight_count++;
    for (; slot != crossbar->first_flight; slot--) {
        const struct flight *before = &crossbar->flights[(slot - 1) & mask];
        if (before->edge < edge || (before->edge == edge && before->input <= input))
            break;
        crossbar->flights[slot & mask] = *before;
    }
    crossbar->flights[slot & mask] = (struct flight){edge, packet, (uint16_t)output, (uint16_t)input};
    crossbar->outputs[output].flight_count++;
    crossbar->outputs[output].spare--;
}

/* ---- Plain crossbars (plain.c) */

/* Of round-robin ones. */
uint32_t crossbar_can_be_plain(const struct crossbar *crossbar);
/* As crossbar_update_heads. */
void crossbar_update_plain_heads(struct crossbar *crossbar, uint64_t n, hd_time t);

/* ---- Paths for contexts (path.c) */

/* Does the packet go by a path? Those with lines of a buffer do. */
static inline uint32_t crossbar_has_path(const struct crossbar *crossbar, const hd_packet *packet)
{
    return crossbar->path_bytes && packet->flow == HD_FLOW_BUFFER && packet->wire_bytes > HD_HEADER_WIRE_BYTES;
}
/* Cycles for which it takes its ports. */
uint32_t crossbar_path_flits(const struct crossbar *crossbar, const hd_packet *packet);
/* Sets the path up. Returns for how many cycles the ports wait for that. */
uint32_t crossbar_set_path(struct crossbar *crossbar, uint32_t input, uint32_t output);

/* ---- Life */

/* checkpoint.c */
extern const hd_state crossbar_state;
/* Queues of a channel of an input. */
uint32_t crossbar_lists(const struct crossbar *crossbar);
/* Extensions by id (hd_block_class.extension). */
const void *crossbar_extension(hd_block *block, const char *id);

hd_block *crossbar_create(const hd_services *services, const hd_value *values, uint32_t count,
                          crossbar_arbiter *arbitrate, char *error, size_t error_bytes);
void crossbar_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void crossbar_reset(hd_block *block);
hd_time crossbar_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time crossbar_promise(hd_block *block, hd_time now);
void crossbar_destroy(hd_block *block);

#endif

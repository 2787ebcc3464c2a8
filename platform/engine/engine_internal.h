/* SPDX-License-Identifier: MIT */
#ifndef HD_ENGINE_INTERNAL_H
#define HD_ENGINE_INTERNAL_H

#include "engine.h"
#include "engine_link.h"
#include "hd_direct.h"

#define HD_WINDOW_MAX UINT64_C(50000) /* ps; a rendezvous lies further ahead than any window reaches */
#define HD_FAULT_TEXT_MAX 1024u

/* ---- Packet pool ------------------------------------------------------------------------------------------------- */

#define HD_POOL_CLASSES 4u

typedef struct pool_prefix { /* lies before every packet */
    struct pool_prefix *next;
    uint32_t size_class;
    uint32_t live;
} pool_prefix;

typedef struct packet_pool {
    pool_prefix *free[HD_POOL_CLASSES];
    struct pool_chunk *chunks;
    uint64_t allocated;
    uint64_t freed;
    uint64_t noise; /* state of the generator that fills bodies; 0 = leave them */
} packet_pool;

hd_packet *pool_alloc(packet_pool *pool, uint32_t body_bytes);
/* 0 = the packet was free already */
uint32_t pool_free(packet_pool *pool, hd_packet *packet);
void pool_destroy(packet_pool *pool);

/* ---- Links -------------------------------------------------------------------------------------------------------- */

typedef struct flight {
    hd_packet *packet;
    hd_time t; /* arrival */
} flight;

/* Indices of rings run freely and are masked on use. `seen` is the first entry that the receiver was not yet called
 * for; head <= seen <= tail. */
typedef struct packet_ring {
    flight *slots;
    uint32_t head, seen, tail;
} packet_ring;

typedef struct credit_ring {
    hd_time *slots;
    uint32_t head, seen, tail;
} credit_ring;

typedef struct node node;

struct hd_link {
    node *sender; /* NULL: foreign */
    node *receiver;
    hd_time latency;
    hd_time credit_latency;
    uint32_t mask;
    uint32_t available; /* credits in the sender's hand */
    packet_ring packets;
    credit_ring credits;
    hd_time last_send;
    hd_time last_pop;
    uint32_t packet_input; /* index in the receiver's inputs */
    uint32_t credit_input; /* index in the sender's inputs */
    uint32_t wire;
    uint32_t capacity;
    /* Wire links only: what waits for the outside, and how many packets and credits the outside has. */
    packet_ring packet_outbox;
    credit_ring credit_outbox;
    uint32_t outside;
    uint32_t wire_index; /* in wire_times: packets at 2i, credits at 2i + 1 */
    hd_time last_delivery;
    hd_time last_credit_delivery;
    hd_link_end from;
    hd_link_end to;
    hd_engine *engine;
    void *user;
};

void link_init(hd_link *link);
void link_reset(hd_link *link);
void link_destroy(hd_link *link);
void link_fill_services(hd_services *services);
void link_push_packet(hd_link *link, hd_packet *packet, hd_time t);
void link_push_credit(hd_link *link, hd_time t);

void wire_hold_packet(hd_link *link, hd_packet *packet, hd_time t);
void wire_hold_credit(hd_link *link, hd_time t);

/* ---- Blocks -------------------------------------------------------------------------------------------------------- */

typedef struct node_port {
    hd_link **out;
    hd_link **in;
    uint32_t count;
    uint32_t *route; /* by endpoint; NULL: not a send port */
} node_port;

struct node {
    /* What the block may do at present: use its links at now <= t < now + span. */
    hd_time now;
    hd_time span;
    hd_time own_next; /* its last answer */
    /* Time of the first packet or credit on each link that it was not yet called for; packets first, then credits. */
    hd_time *inputs;
    uint8_t *starved;     /* by index in inputs; credits only */
    uint32_t looks_ahead; /* HD_BLOCK_LOOKS_AHEAD: inputs and woken are not kept */
    hd_time woken;        /* least of inputs, without the credits of links that are not starved */
    uint32_t packet_input_count;
    uint32_t input_count;
    hd_cursor edge; /* the first at or after now */
    hd_link **input_links;

    hd_engine *engine;
    uint32_t index;
    const hd_block_class *block_class;
    hd_block *block;
    hd_services services;
    char *name;
    hd_value *values;
    node_port *ports;
    uint64_t random[4];
    hd_rendezvous rendezvous;
    hd_direct direct;
    hd_time turn; /* the one it has asked for, HD_NEVER = none */
    uint64_t calls;
    uint32_t sequence; /* of its logs */
};

typedef struct route_override {
    uint32_t block, port, endpoint, element;
} route_override;

typedef struct provided {
    char *id;
    const void *extension;
} provided;

typedef struct log_line {
    hd_time t;
    uint32_t block, sequence, severity;
    char *text;
} log_line;

typedef struct bytes_holder {
    hd_block *block;
    const hd_holder *holder;
} bytes_holder;

typedef struct meeting { /* one request for a rendezvous */
    hd_time at;
    hd_time asked;
    uint32_t block, what;
    uint64_t argument;
} meeting;

struct hd_engine {
    hd_time *next;        /* by block: when it has to be called */
    hd_time *out_latency; /* by block: least time until anything it does reaches another */
    hd_time earliest;     /* least of next */
    node **nodes;
    uint32_t node_count;
    hd_time now; /* all blocks have done everything before */
    hd_time window_end;
    hd_time wire_next;
    hd_time *wire_times;
    hd_link **wires;
    uint32_t wire_count;

    packet_pool pool;
    hd_link **links;
    uint32_t link_count;
    hd_binding *bindings;
    uint32_t binding_count;
    route_override *overrides;
    uint32_t override_count;
    provided *provided;
    uint32_t provided_count;
    char **messages;
    uint32_t message_count;
    hd_observer observer;
    log_line *logs;
    uint32_t log_count;
    meeting *meetings; /* in the order in which they are kept */
    uint32_t meeting_count;
    hd_clock common;

    uint32_t has_direct; /* a block touches memory directly */
    hd_time next_turn;   /* least over all blocks */
    bytes_holder *holders;
    uint32_t holder_count;
    uint32_t watched;
    uint32_t *versions;

    hd_time progress;
    hd_time progress_base; /* patience counts from here at least */
    uint32_t has_fault;
    hd_time fault_time;
    uint32_t fault_block;
    char fault_text[HD_FAULT_TEXT_MAX];

    uint64_t disturbance;    /* state of the generator; 0 = off */
    uint32_t *order;         /* in which blocks are called */
    uint32_t endpoint_count; /* blocks, and endpoints that only routes know */
};

/* Smallest edge of the block's clock at or after t. */
static inline hd_time node_edge(const node *node, hd_time t)
{
    const hd_cursor *near = &node->edge;
    if (t <= near->t && near->t - t < near->step)
        return near->t;
    const uint64_t n = hd_cursor_index_of(near, t);
    return n < near->n ? hd_clock_edge(near->clock, n) : hd_cursor_time_of(near, n);
}

static inline void node_wake(node *node, hd_time t)
{
    if (t < node->woken)
        node->woken = t;
    hd_time *next = &node->engine->next[node->index];
    if (t < *next) {
        hd_time edge = node_edge(node, t);
        if (edge < *next)
            *next = edge;
        if (edge < node->engine->earliest)
            node->engine->earliest = edge;
    }
}

void services_init(node *node);
void services_flush_logs(hd_engine *engine);
void services_fault(node *node, hd_time t, const char *format, ...) __attribute__((format(printf, 3, 4)));

void random_seed(uint64_t state[4], uint64_t seed, const char *name);
uint64_t random_next(uint64_t state[4]);
uint64_t splitmix_next(uint64_t *state);

void route_compute(hd_engine *engine);
void rendezvous_init(node *node);
hd_time rendezvous_next(const hd_engine *engine);
/* Keeps all rendezvous of the earliest time; all inputs until then are delivered. */
void rendezvous_keep(hd_engine *engine);

void direct_init(node *node);
/* Finds the holders; the number of errors, each a line to sink (may be NULL). */
uint32_t direct_find_holders(hd_engine *engine, const hd_text_sink *errors);
void direct_reset(hd_engine *engine);
/* Calls the blocks whose turn it is at next_turn; everything before is done. */
void direct_take_turns(hd_engine *engine);

/* Room for one element more than count. */
void *grow(void *array, uint32_t count, size_t element_bytes);

#endif

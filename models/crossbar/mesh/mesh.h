/* SPDX-License-Identifier: MIT */
#ifndef CROSSBAR_MESH_H
#define CROSSBAR_MESH_H

#include "hd_extension.h"
#include "hd_message.h"
#include "hd_state.h"
#include "hd_trace.h"
#include "hd_work.h"
#include "routes.h"
#include "sets.h"

#define MESH_NODES 256u
#define MESH_ELEMENTS 256u
#define MESH_CHANNELS 8u

enum { PORT_INPUT, PORT_OUTPUT, PORT_COUNT };
enum {
    PARAMETER_COLUMNS,
    PARAMETER_ROWS,
    PARAMETER_FLIT_BYTES,
    PARAMETER_ROUTER_LATENCY,
    PARAMETER_LINK_LATENCY,
    PARAMETER_BUFFER_FLITS,
    PARAMETER_CHANNELS,
    PARAMETER_CHANNEL_BY,
    PARAMETER_INPUT_NODES,
    PARAMETER_OUTPUT_NODES,
    PARAMETER_COUNT
};
enum { CHANNEL_BY_UNIT, CHANNEL_BY_CLASS };
enum {
    STATISTIC_PACKETS,
    STATISTIC_FLITS,
    STATISTIC_FLIT_HOPS,
    STATISTIC_ACTIVE_CYCLES,
    STATISTIC_QUEUEING_CYCLES,
    STATISTIC_TRAVERSAL_CYCLES,
    STATISTIC_CREDIT_STALLS,
    STATISTIC_CREDIT_STALL_CYCLES,
    STATISTIC_MULTICAST_PACKETS,
    STATISTIC_MULTICAST_COPIES,
    STATISTIC_MULTICAST_BYTES,
    STATISTIC_CLASS_PACKETS, /* one for each HD_CLASS_*, and others */
    STATISTIC_OTHER_PACKETS = STATISTIC_CLASS_PACKETS + HD_CLASS_COUNT,
    STATISTIC_CLASS_BYTES, /* likewise */
    STATISTIC_OTHER_BYTES = STATISTIC_CLASS_BYTES + HD_CLASS_COUNT,
    STATISTIC_COUNT
};

/* Ports of a router. The sides come in pairs: side ^ 1 is the opposite one. */
enum { SIDE_EAST, SIDE_WEST, SIDE_NORTH, SIDE_SOUTH, SIDE_LOCAL, SIDES };
#define SIDE_NONE 0xFFu

/* A packet of which flits are under way. */
struct traveller {
    hd_packet *packet;
    uint64_t injected; /* edge of the first flit */
    uint32_t flits;
    uint16_t element; /* output that it goes to */
    uint16_t source;  /* input that it came from */
};

struct flit {
    uint64_t ready; /* first edge at which it can leave the router */
    uint32_t traveller;
    uint32_t is_last;
};

/* One virtual channel of one side of a router, as an input: a buffer of flits. */
struct channel_in {
    uint16_t first, count;
    uint8_t is_open; /* the packet at the front has its output's channel */
    uint8_t side;    /* where that packet goes */
};

/* And as an output. */
struct channel_out {
    uint8_t owner;    /* side whose packet has it; SIDE_NONE */
    uint16_t credits; /* places in the next router's buffer */
};

struct router {
    uint32_t flits;
    uint8_t next_channel[SIDES]; /* of an input, whose turn it is */
    uint8_t next_side[SIDES];    /* of an output */
};

/* A packet that its node turns into flits. */
struct injection {
    uint32_t traveller;
    uint32_t left; /* flits; 0 = none is being injected */
};

struct order {
    uint16_t channel, packets;
};

/* One link in. */
struct mesh_input {
    hd_link *link;
    hd_time arrival; /* of the first packet; HD_NEVER = none is known */
    uint32_t node, channel;
    uint32_t is_known; /* the first packet has been looked at */
    uint32_t outputs;  /* it still has to go to */
    set remaining;     /* which */
    struct order *order;
};

/* One link out. */
struct mesh_output {
    hd_link *link;
    uint32_t node;
    uint32_t reserved;      /* credits that packets under way will take */
    uint64_t blocked_since; /* UINT64_MAX = not */
};

/* A place in a buffer becomes free for the router before it. */
struct mesh_credit {
    uint64_t edge;
    uint32_t channel; /* index in channels_out */
};

struct mesh {
    const hd_services *services;
    const hd_trace *trace; /* NULL: the run is not traced */
    uint32_t output_tracks;
    uint32_t columns, rows, nodes, flit_bytes, router_latency, link_latency, buffer_flits, channels, channel_by;
    const char *input_nodes, *output_nodes;
    uint32_t input_count, output_count;
    set empty, watched; /* inputs: no packet known, first packet known */
    set blocked;        /* outputs without a credit for a packet that is there */
    uint32_t any_blocked;
    set active;  /* routers with flits */
    set sending; /* nodes that inject */
    struct router *routers;
    struct channel_in *channels_in;   /* [router][side][channel] */
    struct channel_out *channels_out; /* likewise */
    struct flit *flits;               /* [channel_in][buffer_flits] */
    struct injection *injections;     /* [node][channel] */
    uint8_t *next_injection;          /* by node */
    struct traveller *travellers;
    uint32_t *free_travellers;
    uint32_t traveller_count, free_count;
    struct mesh_credit *credits; /* ring */
    uint32_t credit_mask, first_credit, credit_count;
    uint16_t next_input; /* that may begin an injection first */
    uint64_t flit_edge;  /* next edge at which a flit may move */
    hd_work head_work;
    hd_cursor cursor;
    struct mesh_input inputs[MESH_ELEMENTS];
    struct mesh_output outputs[MESH_ELEMENTS];
    routes routes;
    uint64_t statistics[STATISTIC_COUNT];
};

static inline uint32_t mesh_channel(const struct mesh *mesh, uint32_t router, uint32_t side, uint32_t channel)
{
    return (router * SIDES + side) * mesh->channels + channel;
}

/* ---- Placement (place.c): "0-3, 7": node of element i is entry i mod length; "" = node i mod nodes */

/* How many entries; 0 and an error text if it is not such a list, or a node does not exist. */
uint32_t mesh_list_length(const char *list, uint32_t nodes, const char **error);
uint32_t mesh_list_node(const char *list, uint32_t nodes, uint32_t element);

/* ---- Injection (inject.c) */

void mesh_refresh(struct mesh *mesh);
/* Looks at packets that have arrived and puts at most one flit into each node's router. Returns 1 if any was. */
uint32_t mesh_inject(struct mesh *mesh, uint64_t n, hd_time t);

/* ---- Routers (router.c) */

/* A flit enters the buffer of a router. */
void mesh_push(struct mesh *mesh, uint32_t router, uint32_t side, uint32_t channel, struct flit flit);
void mesh_return_credits(struct mesh *mesh, uint64_t n);
/* Every router moves what it can. Returns 1 if any flit moved; sets flit_edge to the first that is ready later. */
uint32_t mesh_move(struct mesh *mesh, uint64_t n, hd_time t);

/* ---- Life */

hd_block *mesh_create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes);
void mesh_connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in);
void mesh_reset(hd_block *block);
hd_time mesh_advance(hd_block *block, hd_time now, hd_time horizon);
hd_time mesh_promise(hd_block *block, hd_time now);
void mesh_destroy(hd_block *block);
extern const hd_state mesh_state;
const void *mesh_extension(hd_block *block, const char *id);

#endif

/* SPDX-License-Identifier: MIT */
/* Links, and what blocks leave behind on them in a window. */
#ifndef HD_ENGINE_LINKS_H
#define HD_ENGINE_LINKS_H

#include "engine.h"
#include "engine_link.h"
#include "hd_link.h"
#include "pool.h"

#define HD_CACHE_LINE 64u

typedef struct flight {
    hd_packet *packet;
    hd_time t; /* arrival */
} flight;

typedef struct node node;

/* What waits for the outside on a wire link, and how many packets and credits the outside has. */
typedef struct link_wire {
    flight *packets; /* from packet_head to packet_tail; to packet_end when the window is over */
    hd_time *credits;
    uint32_t packet_head, packet_tail, packet_end;
    uint32_t credit_head, credit_tail, credit_end;
    uint32_t outside;
    uint32_t index; /* in wire_times: packets at 2i, credits at 2i + 1 */
    hd_time last_delivery;
    hd_time last_credit_delivery;
} link_wire;

/* Of a link that is perturbed; the sender's. */
typedef struct link_lateness {
    uint64_t random[4];
    hd_time last_arrival;
    hd_clock clock;   /* of the receiver */
    uint64_t longest; /* cycles */
} link_lateness;

/*
 * Two rings, of packets and of credits the other way. Indices run freely and are masked on use. Whoever fills a ring moves
 * its end; what lies between tail and end becomes visible to the other side when the window is over; credits may be at once
 * (link_services.c), which nobody can use before that. `seen` is the first entry that the side which empties the ring was not
 * yet called for; head <= seen <= tail <= end.
 */
struct hd_link {
    /* The receiver's. */
    _Alignas(HD_CACHE_LINE) hd_link_head head; /* what lies at packet_head, as blocks see it */
    hd_time last_pop;
    uint32_t packet_head, packet_seen;
    uint32_t credit_end;
    const hd_time *sender_called;
    /* The sender's. */
    _Alignas(HD_CACHE_LINE) hd_link_hand hand;
    uint32_t packet_end;
    hd_time last_send;
    const hd_time *receiver_called; /* up to when the receiver has been called, or will be in this window */
    uint32_t credit_head, credit_seen;
    uint32_t tells_of_credits; /* the sender is to hear of the next that is published */
    uint32_t counts_bytes;
    link_lateness *lateness; /* NULL: all packets are in time */
    hd_link_bytes bytes;
    /* Read by both sides, written between windows. */
    _Alignas(HD_CACHE_LINE) node *sender; /* NULL: foreign */
    node *receiver;
    hd_time latency;
    hd_time credit_latency;
    flight *packets;
    hd_time *credits;
    uint32_t mask;
    uint32_t is_wire;
    uint32_t packet_tail;
    uint32_t credit_tail;
    /* Between windows. */
    _Alignas(HD_CACHE_LINE) uint32_t packet_input; /* index in the receiver's inputs */
    uint32_t credit_input;                         /* index in the sender's inputs */
    uint32_t capacity;
    uint32_t read_message; /* of a link that counts */
    uint32_t is_filled;    /* among the receiver's `filled` */
    hd_link *next_filled;
    hd_link_end from;
    hd_link_end to;
    hd_engine *engine;
    void *user;
    link_wire wire;
};

/* After each change of packet_head, and of packet_tail of an empty link. */
static inline void link_show_head(hd_link *link)
{
    const uint32_t head = link->packet_head;
    const flight *first = &link->packets[head & link->mask];
    link->head = head == link->packet_tail ? (hd_link_head){.arrival = HD_NEVER}
                                           : (hd_link_head){.arrival = first->t, .packet = first->packet};
}

hd_link *link_create(void);
void link_init(hd_link *link);
void link_reset(hd_link *link);
void link_destroy(hd_link *link);
/* What a block does with links (link_services.c). Called again when one of its links or whoever observes wants more of it than
 * is usual. */
void link_choose_services(node *node);
/* Of a link that counts: a request is on its way. */
void link_count_bytes(hd_link *link, const hd_packet *request);
/* The window is over: what was put into the ring becomes visible, and whoever waits for it is woken (outbox.c). */
void link_publish_packets(hd_link *link);
void link_publish_credits(hd_link *link);
/* The same for one more entry, between windows. */
void link_push_packet(hd_link *link, hd_packet *packet, hd_time t);
void link_push_credit(hd_link *link, hd_time t);

void wire_publish_packets(hd_link *link);
void wire_publish_credits(hd_link *link);

/* perturb.c: of a machine that is perturbed, links that have to be. */
void perturb_link(hd_link *link);
/* All streams begin, at a reset or at an alignment. */
void perturb_begin(hd_engine *engine);
/* How much later than at `arrival` the next packet arrives. */
hd_time perturb_next(hd_link *link, hd_time arrival);

/* ---- What blocks leave behind in a window ---------------------------------------------------------------------------- */

/* One thread's. Each link has one sender and one receiver: it is at most once in each list, and in what order the links are
 * published cannot matter. */
typedef struct outbox {
    packet_pool pool;
    hd_link **packets; /* links with packets to publish */
    hd_link **credits;
    uint32_t packet_count;
    uint32_t credit_count;
} outbox;

void outboxes_create(hd_engine *engine, uint32_t count);
void outboxes_destroy(hd_engine *engine);
/* For all links of the engine. */
void outboxes_make_room(hd_engine *engine);
/* Packets in use count as allocated, none as freed. */
void outboxes_count_anew(hd_engine *engine);
void outboxes_publish(hd_engine *engine);
/* Publishes everything and tells the observer what was logged. */
void outboxes_merge(hd_engine *engine);

#endif

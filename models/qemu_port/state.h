/* SPDX-License-Identifier: MIT */
/* Private to qemu_port. */
#ifndef QEMU_PORT_STATE_H
#define QEMU_PORT_STATE_H

#include "admission.h"
#include "hd_block.h"
#include "hd_host.h"
#include "hd_message.h"
#include "hd_packet.h"
#include "hd_tables.h"
#include "hd_work.h"
#include "heddle_remote.h"
#include "qemu_port.h"
#include "rp_packet.h"

#define PORT_ELEMENTS 64u
#define QUEUE_MAX 64u   /* requests of the peer that have come while the machine waited for something else */
#define ANSWERS_MAX 64u /* of the peer, whose time has not come */
#define PACKETS_AT_ONE_TIME 10000u /* a peer that sends more, and nothing that takes time, will not stop */
#define PS_PER_NS 1000u
#define TIME_NEVER_COMES "the other side says something of a time that never comes"

enum { PORT_ACCESS, PORT_MEMORY, PORT_NOTIFY, PORT_INTERRUPT, PORT_LEVEL, PORT_COUNT };
enum {
    PARAMETER_ADDRESS,
    PARAMETER_ROLE,
    PARAMETER_TIMEOUT,
    PARAMETER_QUANTUM,
    PARAMETER_WINDOW_BASE,
    PARAMETER_WINDOW_BYTES,
    PARAMETER_ACCESS_DEVICE,
    PARAMETER_ACCESS_MACHINE,
    PARAMETER_ACCESS_PEER,
    PARAMETER_MEMORY_DEVICE,
    PARAMETER_MEMORY_MACHINE,
    PARAMETER_MEMORY_PEER,
    PARAMETER_NOTIFY_DEVICE,
    PARAMETER_INTERRUPT_DEVICE,
    PARAMETER_LEVEL_BIT,
    PARAMETER_COUNT
};

/* X(identifier, name, unit, description) */
#define QEMU_STATISTICS(X)                                                                                             \
    X(REQUESTS, "requests", "accesses", "accesses by the machine")                                                     \
    X(REFUSED, "refused", "accesses", "those of them that were answered with an error")                                \
    X(PEER_REQUESTS, "peer_requests", "accesses", "accesses by the peer")                                              \
    X(PEER_REFUSED, "peer_refused", "accesses", "those of them that were answered with an error")                      \
    X(INTERRUPTS, "interrupts", "interrupts", "changes of interrupt lines that the peer has been told")                \
    X(PEER_INTERRUPTS, "peer_interrupts", "interrupts", "changes of interrupt lines by the peer")                      \
    X(SYNCS, "syncs", "packets", "SYNC packets that one side has sent and the other has answered")                     \
    X(STRAYS, "strays", "packets", "accesses and interrupts of the peer to a device or a line that there is not")
#define X_(identifier, ...) STATISTIC_##identifier,
enum { QEMU_STATISTICS(X_) STATISTIC_COUNT };
#undef X_

/* A packet that both sides count on. */
typedef struct awaited {
    uint32_t is_awaited;
    uint32_t command;
    uint32_t id;
} awaited;

/* The request of the machine that the peer is asked for, a piece at a time. */
typedef struct asked {
    awaited response;       /* to the piece */
    hd_packet *request;     /* NULL: none */
    uint32_t element;       /* of `access` */
    uint32_t offset, bytes; /* of the piece */
    uint32_t status;        /* HD_STATUS_*, of the pieces before */
    hd_time at;             /* when the piece was sent */
    hd_time ready;          /* no sooner is it answered */
    hd_packet *answer;      /* gets what is read */
} asked;

/* The request of the peer at the head of the queue, that the machine is asked for, a piece at a time. */
typedef struct served {
    uint32_t is_under_way; /* a piece is */
    uint32_t awaits_credit;
    uint32_t offset, bytes; /* of the piece, or of the next one */
    uint32_t status;        /* HD_STATUS_*, of the pieces before */
} served;

/* An answer of the peer that waits for its time. */
typedef struct due_answer {
    hd_packet *answer;
    hd_time time;
    uint32_t element; /* of `access` */
    uint32_t awaits_credit;
} due_answer;

typedef struct qemu_port {
    const hd_services *services;
    const char *address;
    uint32_t is_caller; /* it connects to the peer, which listens */
    uint32_t is_host;
    uint64_t quantum; /* 0: the peer leads */
    uint32_t devices[PORT_COUNT];
    uint64_t to_peer;    /* + address of the machine = address of the peer, at `access` */
    uint64_t to_machine; /* + address of the peer = address of the machine, at `memory` */
    uint32_t level_bit;
    hd_cursor cursor;
    uint32_t read_message, write_message, response_message, interrupt_message, level_message;
    hd_link *access_in[PORT_ELEMENTS], *access_out[PORT_ELEMENTS];
    hd_link *memory_in, *memory_out;
    hd_link *notify[PORT_ELEMENTS];
    hd_link *lines[2][PORT_ELEMENTS]; /* of events, of levels */

    listener listener;
    heddle_remote remote;  /* the connection; its messages are not used */
    uint32_t is_met;       /* the peer has come */
    uint32_t has_left;     /* it has closed the connection, and owed nothing */
    uint32_t is_broken;    /* the run has a fault */
    uint32_t capabilities; /* of the peer */
    uint32_t last_id;
    int64_t end;          /* of the host's time that the peer has for what is awaited */
    hd_time heard_at;     /* when the last packet was heard */
    uint32_t heard_count; /* at that time */

    hd_time granted; /* the peer leads: it has said that time may go so far */
    hd_time sync_at; /* the machine leads: its next SYNC */
    awaited sync;
    awaited untimed;
    uint64_t untimed_address; /* of the machine */
    uint32_t untimed_bytes;
    asked asked;
    served served;
    due_answer answers[ANSWERS_MAX]; /* by time */
    uint32_t answer_count;
    rp_packet *queue; /* QUEUE_MAX requests of the peer, from `queue_head` on */
    uint32_t queue_head, queue_count;
    rp_packet *packet; /* the last one heard, or the next one to be sent */
    uint8_t *bytes;    /* RP_BYTES_MAX, to be sent */
    uint64_t counters[STATISTIC_COUNT];
} qemu_port;

/* ---- conversation.c: the connection ---------------------------------------------------------------------------------- */

/* Waits for the peer, unless it has come. 0: there is none, and the run has a fault. */
uint32_t qemu_port_meet(qemu_port *self, hd_time t);
/* 0: nobody gets it. If the peer has closed the connection, that is found where it is heard next, behind what it has said before. */
uint32_t qemu_port_say(qemu_port *self, const rp_packet *packet, hd_time t);
/* The peer has its timeout from now on for what it is to say. What else it says meanwhile gives it no more. */
void qemu_port_give_time(qemu_port *self);
/* Sends a request of this side, and awaits its response. Its id is set. */
void qemu_port_request(qemu_port *self, rp_packet *packet, awaited *response, hd_time t);
/* The next packet of the peer, into self->packet: 1; 0: there is none; the run has a fault, or the peer has left. */
uint32_t qemu_port_hear(qemu_port *self, hd_time t);
/* 1: the packet is what is awaited, which is over then. */
uint32_t qemu_port_settle(awaited *response, const rp_packet *packet);
void qemu_port_fault(qemu_port *self, hd_time t, const char *text);
void qemu_port_leave(qemu_port *self);

/* ---- dispatch.c: what the peer says, while the machine stands still -------------------------------------------------- */

/* Says and hears all that is to be said and heard before time goes on. */
void dispatch_work(qemu_port *self, hd_time t);
/* One packet, that has been heard. */
void dispatch_packet(qemu_port *self, hd_time t);
hd_time dispatch_next(const qemu_port *self);
void dispatch_clear(qemu_port *self);

/* ---- asking.c: what the machine wants of the peer -------------------------------------------------------------------- */

void asking_work(qemu_port *self, hd_time t);
/* The response to the piece that is asked for has come. */
void asking_take(qemu_port *self, const rp_packet *response, hd_time t);
hd_time asking_next(const qemu_port *self);
void asking_clear(qemu_port *self);

/* ---- serving.c: what the peer wants of the machine ------------------------------------------------------------------- */

void serving_work(qemu_port *self, hd_time t);
/* There is a request, and its time has come. */
uint32_t serving_is_due(const qemu_port *self, hd_time t);
hd_time serving_next(const qemu_port *self);
void serving_clear(qemu_port *self);

/* ---- untimed.c ------------------------------------------------------------------------------------------------------- */

uint32_t qemu_untimed_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);

static inline uint64_t nanoseconds(hd_time t)
{
    return t / PS_PER_NS;
}

static inline uint32_t peer_can(const qemu_port *self, uint32_t capability)
{
    return self->capabilities >> capability & 1;
}

#endif

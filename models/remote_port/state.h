/* SPDX-License-Identifier: MIT */
/* Private to remote_port. */
#ifndef REMOTE_PORT_STATE_H
#define REMOTE_PORT_STATE_H

#include "admission.h"
#include "hd_block.h"
#include "hd_message.h"
#include "hd_tables.h"
#include "hd_work.h"
#include "heddle_remote.h"
#include "remote_port.h"

#define PORT_ELEMENTS 64u
#define WAITING_MAX 256u /* messages of the peer whose time has not come */

enum { PORT_ACCESS, PORT_MEMORY, PORT_NOTIFY, PORT_INTERRUPT, PORT_LEVEL, PORT_COUNT };
enum {
    PARAMETER_ADDRESS,
    PARAMETER_TIMEOUT,
    PARAMETER_QUANTUM,
    PARAMETER_WINDOW_BASE,
    PARAMETER_WINDOW_BYTES,
    PARAMETER_COUNT
};

/* X(identifier, name, unit, description) */
#define REMOTE_STATISTICS(X)                                                                                           \
    X(REQUESTS, "requests", "accesses", "accesses by the machine")                                                     \
    X(REFUSED, "refused", "accesses", "those of them that were answered with an error")                                \
    X(PEER_REQUESTS, "peer_requests", "accesses", "accesses by the peer")                                              \
    X(INTERRUPTS, "interrupts", "interrupts", "changes of interrupt lines that the peer has been told")                \
    X(PEER_INTERRUPTS, "peer_interrupts", "interrupts", "changes of interrupt lines by the peer")                      \
    X(TURNS, "turns", "turns", "times that the peer had the turn")                                                     \
    X(LATE, "late", "messages", "messages of the peer whose time had passed, and which took effect at once")
#define X_(identifier, ...) STATISTIC_##identifier,
enum { REMOTE_STATISTICS(X_) STATISTIC_COUNT };
#undef X_

typedef struct remote_port {
    const hd_services *services;
    const char *address;
    uint64_t quantum;
    hd_cursor cursor;
    uint32_t read_message, write_message, response_message, interrupt_message, level_message;
    hd_link *access_in[PORT_ELEMENTS], *access_out[PORT_ELEMENTS];
    hd_link *memory_in, *memory_out;
    hd_link *notify[PORT_ELEMENTS];
    hd_link *lines[2][PORT_ELEMENTS]; /* of events, of levels */

    listener listener;
    heddle_remote remote;
    uint32_t is_met;    /* the peer has come */
    uint32_t has_left;  /* it has said BYE */
    uint32_t is_broken; /* the run has a fault */

    hd_time passes;  /* to the peer; HD_NEVER: nothing is to be said */
    hd_time granted; /* by the peer: until then it says nothing */

    hd_packet *requests[HEDDLE_REMOTE_REQUESTS]; /* of the machine, unanswered, by tag */
    uint8_t element[HEDDLE_REMOTE_REQUESTS];     /* of `access` that each has come from */
    hd_time asked_at[HEDDLE_REMOTE_REQUESTS];
    uint32_t request_count;
    uint8_t untimed_kind; /* READ or WRITE, that the peer is to answer at once; 0: none */
    uint32_t untimed_bytes;
    uint64_t untimed_address;
    uint64_t peer_tags[HEDDLE_REMOTE_REQUESTS]; /* of the peer's requests, unanswered, by their packets' tags */
    uint8_t is_open[HEDDLE_REMOTE_REQUESTS];
    uint32_t peer_request_count; /* those whose time has not come included */

    heddle_remote_message *messages; /* WAITING_MAX, of the peer, whose time has not come */
    uint16_t order[WAITING_MAX];     /* the first waiting_count: by time; then those that are free */
    uint8_t awaits_credit[WAITING_MAX];
    uint32_t waiting_count;
    uint64_t counters[STATISTIC_COUNT];
} remote_port;

/* ---- turns.c: the connection, and whose turn it is ------------------------------------------------------------------- */

/* Waits for the peer, unless it has come. 0: there is none, and the run has a fault. */
uint32_t remote_meet(remote_port *self, hd_time t);
/* To the peer. It gets the turn soon. */
void remote_say(remote_port *self, const heddle_remote_message *message, hd_time t);
/* Gives the peer the turn, and takes what it says. */
void remote_pass_turn(remote_port *self, hd_time t);
/* The next message of the peer: 1; 0: there is none, and the run has a fault, as heddle_remote_receive_by says if it is none by `end`. */
uint32_t remote_hear(remote_port *self, heddle_remote_message *message, int64_t end, const char *what, hd_time t);
void remote_fault(remote_port *self, hd_time t, const char *text);
void remote_leave(remote_port *self);

/* ---- outgoing.c: what the machine has for the peer ------------------------------------------------------------------- */

void outgoing_work(remote_port *self, hd_time t);
/* When something arrives that can be taken. */
hd_time outgoing_next(const remote_port *self);
/* READ or WRITE. */
void outgoing_request_of(const remote_port *self, const hd_packet *packet, heddle_remote_message *message);

/* ---- incoming.c: what the peer has for the machine ------------------------------------------------------------------- */

/* Keeps it until its time comes. */
void incoming_take(remote_port *self, const heddle_remote_message *message, hd_time t);
/* Those whose time has come. */
void incoming_work(remote_port *self, hd_time t);
hd_time incoming_next(const remote_port *self);
void incoming_clear(remote_port *self);
/* To the request of the machine with this tag, and waits for its time; NULL: there is none. */
const heddle_remote_message *incoming_answer_to(const remote_port *self, uint64_t tag);
/* What is wrong with an answer that is expected, or NULL. read_bytes: of a READ; 0: of a WRITE. */
const char *incoming_fault_of_form(const heddle_remote_message *answer, uint32_t read_bytes);

/* ---- untimed.c ------------------------------------------------------------------------------------------------------- */

uint32_t untimed_access(hd_block *block, uint64_t address, void *data, uint32_t bytes, uint32_t is_write);

#endif

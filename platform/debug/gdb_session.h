/* SPDX-License-Identifier: MIT */
/*
 * What one gdb says and is told, by the remote serial protocol ("Remote Protocol" in the GDB manual): all threads stop and go
 * on together. A session knows no sockets: bytes go in, bytes come out.
 */
#ifndef HD_DEBUG_SESSION_H
#define HD_DEBUG_SESSION_H

#include "packet.h"
#include "stops.h"
#include "target.h"

#define SESSION_REPLY_MAX (PACKET_BYTES_MAX + 64u)

enum session_state {
    SESSION_STOPPED,  /* gdb has the word */
    SESSION_RUNNING,  /* it waits to be told of a stop */
    SESSION_DETACHED, /* it has left, and wants nothing more */
    SESSION_KILLED,   /* the run is to end */
};

typedef struct debug_session {
    const debug_target *target;
    enum session_state state;
    uint32_t without_acknowledgements;
    debug_stops stops;
    debug_stop stop;      /* the last one */
    uint32_t in_front;    /* it was in front of an instruction */
    uint64_t thread;      /* of registers and memory */
    uint64_t step_thread; /* of `s` and `c`; 0: any */
    uint64_t listed;      /* thread that was listed last */
    packet_reader reader;
    packet_output output; /* the caller sends it */
    packet_output sent;   /* the last packet, for who wants it again */
    char *description;
    size_t reply_count;
    char reply[SESSION_REPLY_MAX];
} debug_session;

/* Stopped, with the first of the target's threads; no gdb has said anything. */
void gdb_session_begin(debug_session *session, const debug_target *target);
void gdb_session_end(debug_session *session);
/* Bytes that have come from gdb. */
void gdb_session_take(debug_session *session, const void *bytes, size_t count);
/* It runs, and a thread stops: in front of the instruction of a moment, or in between. */
void gdb_session_stop(debug_session *session, const debug_stop *stop, uint32_t in_front);
/* It runs, and gdb shows this to its user. */
void gdb_session_say(debug_session *session, const char *text);
/* It is over: the program has ended with this code. */
void gdb_session_exit(debug_session *session, uint32_t code);

#endif

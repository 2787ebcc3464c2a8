/* SPDX-License-Identifier: MIT */
/* A port on loopback at which one gdb at a time may be, and what it says to its session. */
#ifndef HD_DEBUG_DOOR_H
#define HD_DEBUG_DOOR_H

#include "gdb_session.h"
#include "listener.h"

typedef struct debug_door {
    const char *what; /* it is of, for texts: "firmware" */
    uint32_t port;
    listener listening;
    int connection;        /* -1: none */
    debug_session session; /* while there is a connection */
    debug_target target;
} debug_door;

/* Port 0: any that is free. 0 on success; else an errno, and nothing is open. */
int door_open(debug_door *door, uint32_t port);
void door_close(debug_door *door);
static inline uint32_t door_has_gdb(const debug_door *door)
{
    return door->connection >= 0;
}
static inline uint32_t door_is_stopped(const debug_door *door)
{
    return door_has_gdb(door) && door->session.state == SESSION_STOPPED;
}
/* Somebody has come: 1, and a session has begun. */
uint32_t door_admit(debug_door *door);
/* Takes what has come and sends what there is to send, without waiting. 0: the other side has gone. */
uint32_t door_exchange(debug_door *door);
/* Sends what there is to send and ends the connection. */
void door_dismiss(debug_door *door);
/* Waits for so long, or until something comes at one of them; `admits`: from somebody new, too. */
void doors_wait(const debug_door *doors, uint32_t count, uint32_t admits, int milliseconds);

#endif

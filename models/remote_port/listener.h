/* SPDX-License-Identifier: MIT */
/* A socket at which one peer is let in. Its file is there for as long as the peer has not come. */
#ifndef REMOTE_PORT_LISTENER_H
#define REMOTE_PORT_LISTENER_H

#include <sys/socket.h>

#include "hd_extension.h"
#include "heddle_remote.h"

typedef struct listener {
    int socket;                      /* -1: closed */
    const hd_temporary_files *files; /* who is told of the socket's file, by whoever opens this; NULL: nobody */
    void *noted;
    struct sockaddr_storage address;
} listener;

/* Returns 0, or an errno; -1: the address is none, and *why says so. */
int listener_open(listener *self, const char *address, const char **why);
void listener_close(listener *self);
/* Waits for a peer, closes the listener and exchanges HELLOs. 0, or -1 with remote->error. */
int listener_admit(listener *self, heddle_remote *remote, uint64_t quantum);

#endif

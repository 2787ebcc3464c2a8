/* SPDX-License-Identifier: MIT */
/* A socket of this computer at which others are let in. The file of a Unix socket is there for as long as it is open. */
#ifndef HD_LISTENER_H
#define HD_LISTENER_H

#include <sys/socket.h>

#include "hd_extension.h"

typedef struct listener {
    int socket;                      /* -1: closed */
    const hd_temporary_files *files; /* who is told of the socket's file, by whoever opens this; NULL: nobody */
    void *noted;
    struct sockaddr_storage address; /* of family AF_UNIX or AF_INET, by whoever opens this */
} listener;

/* At self->address, which gets the port if it was 0. Returns 0, or an errno, and is closed. */
int listener_open(listener *self);
/* Also one that is closed. */
void listener_close(listener *self);
/* Whoever has come, without waiting: a socket that does not block, or -1 and errno. */
int listener_accept(listener *self);

#endif

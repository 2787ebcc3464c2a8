/* SPDX-License-Identifier: MIT */
/* How one peer comes to a block: over a listener that is there until it has come. What the two then say is another matter. */
#ifndef REMOTE_PORT_ADMISSION_H
#define REMOTE_PORT_ADMISSION_H

#include "hd_block.h"
#include "heddle_remote.h"
#include "listener.h"

/* What a peer says happens before this time, or never: beyond it blocks could not count clock edges. */
#define PEER_TIME_END (HD_NEVER / 2)

/* Of a block, before it has a connection: whatever says that the run is to end ends its waits. */
void admission_prepare(heddle_remote *remote, const hd_services *services, hd_time timeout);
/* At an address as heddle_remote_address takes it; listener->files is set. 0, or a text in error. */
int admission_open(listener *listener, const char *address, char *error, size_t error_bytes);
/* Waits for the peer and closes the listener. 0: remote->socket is the connection; or -1 with remote->error. */
int admission_wait(listener *listener, heddle_remote *remote);

#endif

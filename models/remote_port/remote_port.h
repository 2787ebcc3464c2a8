/* SPDX-License-Identifier: MIT */
/*
 * (remote_port, device) and (remote_port, host): a process outside of the machine, at a Unix or TCP socket on loopback, that answers requests of the machine, accesses it
 * and exchanges interrupts with it (docs/remote-port.md).
 *
 * Time has one side at a time: the machine runs until it has something to say or the peer's time has come, passes the turn, and stands still
 * until the peer passes it back. So the peer's messages take effect at times that depend on nothing but what both sides say, and a run
 * with the same peer is the same run. The host's clock is looked at for timeouts alone, which end the run.
 */
#ifndef REMOTE_PORT_H
#define REMOTE_PORT_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The machine runs an app, whose host program is elsewhere. */
extern const hd_block_class hd_remote_port_device;
/* The machine runs until the peer says BYE. */
extern const hd_block_class hd_remote_port_host;

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * (qemu_port, device) and (qemu_port, host): another simulator at a Unix or TCP socket on loopback, which speaks the Remote-Port protocol:
 * QEMU as AMD/Xilinx build it, or a SystemC platform with libsystemctlm-soc (docs/qemu-port.md). Accesses and interrupts go both ways.
 *
 * The machine reads the socket only where its simulated time must stand still: while the peer owes a response, or where the peer has not
 * said yet how far time may go. And it owes nothing then: what the peer has asked for is answered first. So what the peer says takes
 * effect at times that depend on what both say and not on the host's clock, which is looked at for timeouts alone.
 */
#ifndef QEMU_PORT_H
#define QEMU_PORT_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The machine runs an app, whose host program is elsewhere. */
extern const hd_block_class hd_qemu_port_device;
/* The machine runs until the peer closes the connection. */
extern const hd_block_class hd_qemu_port_host;

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A generator of memory traffic where a core was: `core.type=traffic` on any machine. It has the ports of a core, runs no
 * kernels, and announces room for none. A machine that has one runs without an app; the run ends when every generator
 * has sent all of its requests and has its answers.
 *
 * A request is generated, then sent, then answered. Open loop (`rate`): generated at times that do not depend on the
 * machine, and waits as long as it must. Closed loop (`rate: 0`): generated as soon as the one before has left and fewer
 * than `outstanding` are under way. At most one leaves in a cycle.
 *
 * What is written is a function of its address, and in regions of one's own also of how often it was written; what is
 * read is compared. A byte that cannot be there ends the run with generator, address and both values.
 *
 * Measured is what is generated from `warm_up` on, for `duration`. Requests generated later are not sent; a trace is sent
 * to its end. Latency is from generation to answer.
 */
#ifndef TRAFFIC_GENERATOR_H
#define TRAFFIC_GENERATOR_H

#include "hd_block.h"

extern const hd_block_class hd_simt_core_traffic;

#endif

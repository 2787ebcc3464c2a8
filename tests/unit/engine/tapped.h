/* SPDX-License-Identifier: MIT */
/* An ordering point and one that listens to it, with little in them but the order of what they do. */
#ifndef TEST_TAPPED_H
#define TEST_TAPPED_H

#include "hd_block.h"

/* Accepts a packet at each of its edges, in turn over its ports, adds its tag to one of eight words and replies with the
 * word (address) and what its taps left (tag). */
extern const hd_block_class tapped_ledger;
enum { LEDGER_REQUEST, LEDGER_REPLY, LEDGER_TAP };

/* Passes packets on after a while that depends on what it has seen, lets some pass and takes others to send them again.
 * Its state is a hash of all that it did and was told, with times: any other order gives another. */
extern const hd_block_class tapped_gate;
enum { GATE_IN, GATE_OUT, GATE_TAP };

#endif

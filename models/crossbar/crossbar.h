/* SPDX-License-Identifier: MIT */
/*
 * One direction of the network: a crossbar of flits.
 *
 * A packet holds its input for ceil(wire_bytes / flit_bytes) cycles; its tail leaves `latency` cycles after the grant plus
 * one cycle for each further flit. Inputs are FIFOs (the link's credits are their depth), so packets of one source keep
 * their order. A grant needs a credit of the output's link that no packet in flight will take.
 *
 * round_robin  a packet holds its output as long as its input, and the inputs that want an output take turns.
 *              [F] Fung 2015 §4.3, Table 6.1: one crossbar per direction, 32-byte flits, 5 cycles of traversal.
 * ideal        any number of packets go to an output at once: sources disturb each other only where the receiver's credits
 *              run out, and then the packet that has waited longest goes first, of those the one of the lowest input.
 */
#ifndef CROSSBAR_H
#define CROSSBAR_H

#include "hd_block.h"

extern const hd_block_class hd_crossbar_round_robin;
extern const hd_block_class hd_crossbar_ideal;

#endif

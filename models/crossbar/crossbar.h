/* SPDX-License-Identifier: MIT */
/*
 * One direction of the network. A packet is ceil(wire_bytes / flit_bytes) flits. Packets of one (source, destination,
 * unit) leave in the order in which they came, in every type and setting.
 *
 * In the crossbars a packet holds a lane of its input port for a cycle per flit; its tail leaves `latency` cycles after the
 * grant plus one cycle for each further flit. A grant needs a credit of the output's link that no packet in flight will
 * take. The queue of an input is its link (whose credits are its depth), or, with virtual output queues or virtual channels,
 * buffers of queue_depth packets for each channel, into which packets go as they arrive.
 *
 * round_robin  a packet holds its output port as long as its input, and the inputs that want an output take turns.
 *              [F] Fung 2015 §4.3, Table 6.1: one crossbar per direction, 32-byte flits, 5 cycles of traversal.
 * islip        outputs offer, inputs accept, in `iterations` rounds per cycle; [M] McKeown 1999 §III.
 * ideal        any number of packets go to an output at once: sources disturb each other only where the receiver's credits
 *              run out, and then the packet that has waited longest goes first, of those the one of the lowest input.
 *
 * mesh_2d      routers in rows and columns, of the same kind because it stands in the same place. A flit leaves a router
 *              router_latency cycles after it entered its buffer, and enters the next link_latency cycles later; a packet of
 *              f flits takes (hops + 1) * router_latency + hops * link_latency + f - 1 cycles if nobody disturbs it. Its
 *              flits follow each other through the channel of its kind, which is nobody else's from head to tail. Each
 *              side of a router moves a flit in a cycle, and so does a node, whose links in and out share that.
 *
 * A packet for a set of endpoints goes to each of them once, as copies. One pass of its input serves up to
 * multicast_fanout outputs that are free at once; in the mesh its node puts in one copy after another.
 */
#ifndef CROSSBAR_H
#define CROSSBAR_H

#include "hd_block.h"

extern const hd_block_class hd_crossbar_round_robin;
extern const hd_block_class hd_crossbar_islip;
extern const hd_block_class hd_crossbar_ideal;
extern const hd_block_class hd_crossbar_mesh_2d;

#endif

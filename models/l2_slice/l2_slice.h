/* SPDX-License-Identifier: MIT */
/*
 * One L2 slice: the ordering point of a memory partition.
 *
 * Every access to a line is carried out - sampled or written - in the order in which the slice accepted it, over all
 * request ports. A hit is carried out when it is accepted. A request to a line with an outstanding miss becomes a target
 * of that miss; when the line arrives its targets are carried out in order at one moment, and each then takes its share
 * of the data port. Write-back, write-allocate; a store of a whole line is not fetched.
 *
 * The data port moves port_bytes a cycle, atomics atomic_words a cycle; a reply leaves `latency` cycles after its access
 * took the port. [F] Fung 2015 §6.2: 64-byte port at 700 MHz; Table 6.1: 128 KiB, 128-byte lines, 8 ways, minimum L2
 * latency 330 core cycles: with the gtx480 network (about 20 core cycles for request and reply of a whole line) and
 * some ten in the core, the default of 150 L2 cycles gives that for an unloaded hit.
 */
#ifndef L2_SLICE_H
#define L2_SLICE_H

#include "hd_block.h"

extern const hd_block_class hd_l2_slice_write_back;
extern const hd_block_class hd_l2_slice_write_through;

#endif

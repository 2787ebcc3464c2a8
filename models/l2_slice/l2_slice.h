/* SPDX-License-Identifier: MIT */
/*
 * One L2 slice: the ordering point of a memory partition.
 *
 * Every access to a line is carried out - sampled or written - in the order in which the slice accepted it, over all
 * request ports. A hit is carried out when it is accepted. A request to a line with an outstanding miss becomes a target
 * of that miss, even if what it needs is here; when data comes, targets are carried out in order, as far as nothing is
 * missing for them, and each then takes its share of the data port. Write-allocate; what a store writes as a whole is not
 * fetched. Listeners on the port `tap` are told what is accepted, and the first may take it away (hd_tap.h).
 *
 * Sectors. A line is 128 B with one tag. `sector` is what is fetched and written back of it, neighbours in one access to
 * memory. There is one MSHR for a line, whatever sectors are awaited; while they are, what is here of the line lies in
 * the MSHR and its way is free.
 *
 * Types. write_back writes dirty sectors when their line is evicted; write_through when they are written, so that
 * evictions cost nothing. Both allocate on a write.
 *
 * Timing. The data port moves port_bytes a cycle, atomics atomic_words a cycle; a request takes a cycle of it at least. A
 * reply leaves `latency` cycles after its access took the port, that of an atomic `atomic_latency` later. [F] Fung 2015
 * §6.2: 64-byte port at 700 MHz; Table 6.1: 128 KiB, 128-byte lines, 8 ways, minimum L2 latency 330 core cycles: with the
 * gtx480 network (about 20 core cycles for request and reply of a whole line) and some ten in the core, the default of
 * 150 L2 cycles gives that for an unloaded hit. §6.7.6: twelve banks with 32-byte ports.
 *
 * What is simpler than hardware may be:
 *   - fill_port: own gives lines from and to memory a port of their own, and
 *     reads evicted lines for nothing; shared makes both take the data port;
 *   - one request is accepted in a cycle, and tags are looked up once for it; a head that must wait is looked up again
 *     without taking a cycle;
 *   - a fill serves all its targets at one moment, and the port is taken by their replies afterwards;
 *   - an evicted line is read in the cycle of the fill or store that evicts it; write_backs bounds how many wait;
 *   - a port is held up by its head (no request overtakes another of its port), but not by other ports;
 *   - versions of words, by which SC knows writes, have no ways and no tags, and are counted from the first LR on;
 *   - no ECC, no compression, no prefetch; lines of 128 B only: shorter lines are sectors that share a tag.
 */
#ifndef L2_SLICE_H
#define L2_SLICE_H

#include "hd_block.h"

extern const hd_block_class hd_l2_slice_write_back;
extern const hd_block_class hd_l2_slice_write_through;

#endif

/* SPDX-License-Identifier: MIT */
/*
 * One DRAM channel and its controller, with the data themselves.
 *
 * `banked`: devices with banks, bank groups, row buffers and all constraints between their commands (device.h), behind a
 * bounded queue. Each memory cycle takes at most one request from the ports, in turn, and issues at most one command.
 *   fr_fcfs  the oldest request whose row is open and whose column timing is legal, else the oldest whose bank may be
 *            activated or precharged. A bank is not precharged while a queued request still hits its row. Once
 *            starvation_cap younger requests have been served before the oldest, it alone is served.
 *   fcfs     only the oldest request has commands.
 * Requests to overlapping bytes keep their order of acceptance, over all ports. A row for which no request waits stays open,
 * is closed with its last column command (auto-precharge), or, adaptive, as a saturating counter per bank has it: up when
 * the next request after such a moment is for the same row, down when it is for another. Bits of the address are those of
 * row, column, bank and bank group as `mapping` says (mapping.h). Refresh is of all banks.
 *
 * The standard values are those of gtx480: Fung 2015 Table 6.1 (FR-FCFS, 32 requests, open row; DRAM +200 core cycles) and
 * configs/dram/gddr5.yaml. With the gtx480 links and no other request a read that activates its row answers the L2 slice
 * about 200 core cycles after the miss: `latency` is chosen for that.
 *
 * `fixed_latency`: any access after a fixed time, as many bytes a cycle as the bus moves. Requests are carried out when they
 * are accepted.
 */
#ifndef DRAM_H
#define DRAM_H

#include "hd_block.h"

extern const hd_block_class hd_dram_banked;
extern const hd_block_class hd_dram_fixed_latency;

#endif

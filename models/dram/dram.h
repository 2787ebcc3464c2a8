/* SPDX-License-Identifier: MIT */
/*
 * One DRAM channel and its controller: banks with row buffers, FR-FCFS over a bounded queue, and the data themselves.
 *
 * Each memory cycle takes at most one request from the port and issues at most one command: the oldest request whose
 * row is open and whose column timing is legal, else the oldest whose bank may be activated or precharged. A bank is not
 * precharged while a queued request still hits its row. Requests to overlapping bytes keep their order. [F] Fung 2015
 * Table 6.1: FR-FCFS, 32 requests, open row; DRAM +200 core cycles. [R] GDDR5 timing of the public GTX480 configuration
 * (cycles of 924 MHz): tCL 12, tRCD 12, tRP 12, tRAS 28, tRC 40, tRRD 6, tCCD 2 (3 inside a bank group), tWL 4, tWR 12,
 * tCDLR 5, tRTP 2, 16 banks in 4 groups; 32 B a cycle in bursts of 64 B. With the gtx480 links and no other request a
 * read that activates its row answers the L2 slice about 200 core cycles after the miss: `latency` is chosen for that.
 */
#ifndef DRAM_H
#define DRAM_H

#include "hd_block.h"

extern const hd_block_class hd_dram_fr_fcfs;

#endif

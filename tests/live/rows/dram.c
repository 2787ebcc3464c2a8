/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_dram, "dram/fr_fcfs",
    {"banks", "16 | 4", "memory", "dram.row_conflicts grows"},
    {"bank_groups", "4 | 1", "memory", "dram.queueing_cycles grows"},
    {"row_bytes", "2 KiB | 256 B", "memory", "dram.activates grows"},
    {"bank_interleave", "256 B | 2 KiB", "memory", "dram.activates differs"},
    {"bus_bytes", "32 B | 8 B", "memory", "dram.bus_busy_cycles grows"},
    {"burst", "2 cycles | 8 cycles", "memory", "dram.bus_busy_cycles grows"},
    {"queue", "32 | 1", "memory", "dram.queue_maximum shrinks"},
    {"responses", "64 | 1", "memory", "dram.queueing_cycles grows"},
    {"latency", "10 cycles | 91 cycles", "memory", "simt_core.load_latency_cycles grows"},
    {"tcl", "12 cycles | 60 cycles", "memory", "simt_core.load_latency_cycles grows"},
    {"twl", "4 cycles | 200 cycles", "memory", "time grows"},
    {"trcd", "12 cycles | 60 cycles", "memory", "dram.queueing_cycles grows"},
    {"trp", "12 cycles | 60 cycles", "memory", "dram.queueing_cycles grows"},
    {"tras", "28 cycles | 200 cycles", "memory", "dram.queueing_cycles grows"},
    {"trc", "40 cycles | 300 cycles", "memory", "dram.queueing_cycles grows"},
    {"trrd", "6 cycles | 60 cycles", "memory", "dram.queueing_cycles grows"},
    {"tccd", "2 cycles | 20 cycles", "memory", "dram.queueing_cycles grows"},
    {"tccdl", "3 cycles | 20 cycles", "memory", "dram.queueing_cycles grows"},
    {"twr", "12 cycles | 100 cycles", "memory; dram.banks=1; dram.bank_groups=1", "time grows"},
    {"tcdlr", "5 cycles | 50 cycles", "memory", "time grows"},
    {"trtp", "2 cycles | 100 cycles", "memory", "dram.queueing_cycles grows"},
    {"turnaround", "0 cycles | 20 cycles", "memory", "dram.queueing_cycles grows"},
    {"trefi", "3.9 us | 1 us", "memory", "dram.refreshes grows"},
    {"trfc", "65 ns | 1 us", "memory", "dram.queueing_cycles grows; dram.refreshes differs"});

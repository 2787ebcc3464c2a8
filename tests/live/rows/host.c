/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_host, "host_cpu/native",
    {"overhead", "0 cycles | 1000 cycles", "everything", "time grows; host_cpu.calls stays; simt_core.cycles stays"},
    {"requests", "16 | 1", "everything", "host_cpu.max_requests shrinks; host_cpu.transfer_cycles grows"},
    {"packet_bytes", "1 KiB | 64 B", "everything", "host_cpu.writes grows; host_cpu.write_bytes stays"},
    {"ram.port_bytes", "16 B | 1 B", "copies", "dma_engine.copy_cycles grows; host_cpu.ram_read_bytes stays"},
    {"ram.latency", "20 cycles | 200 cycles", "copies", "dma_engine.copy_cycles grows"},
    {"ram.requests", "8 | 1", "copies", "dma_engine.copy_cycles grows"});

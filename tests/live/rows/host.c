/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_host, "host_cpu/native",
    {"overhead", "0 cycles | 1000 cycles", "everything", "time grows; host_cpu.calls stays; simt_core.cycles stays"},
    {"requests", "16 | 1", "everything", "host_cpu.max_requests shrinks; host_cpu.transfer_cycles grows"},
    {"packet_bytes", "1 KiB | 64 B", "everything", "host_cpu.writes grows; host_cpu.write_bytes stays"});

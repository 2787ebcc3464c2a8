/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
/* quantum, undo_stores and block_cache change how fast it is simulated, and nothing else: that is what these rows show. */
LIVE_TABLE(live_host_cpu, "host_cpu/rv64",
    {"ram.bytes", "64 MiB | 128 KiB", "computes", "refused: not in the RAM"},
    {"ram.port_bytes", "16 B | 1 B", "firmware", "host_bus.request_wait_cycles grows; host_cpu.ram_refused stays"},
    {"ram.latency", "20 cycles | 200 cycles", "firmware", "host_bus.request_wait_cycles grows"},
    {"ram.requests", "8 | 1", "firmware", "host_bus.request_wait_cycles grows"},
    {"exceptions", "trap | stop", "devices", "fails: where nothing answers"},
    {"quantum", "100 us | 100 ns", "devices", "time stays; host_cpu.instructions stays"},
    {"undo_stores", "32768 | 8", "devices", "time stays; host_cpu.instructions stays"},
    {"block_cache", "65536 | 64", "devices", "time stays; host_cpu.instructions stays"},
    {"harts", "1 | 4", "computes", "time stays; host_cpu.sleep_cycles grows"},
    {"user_mode", "false | true", "guarded", "host_cpu.exceptions grows"},
    {"pmp.entries", "64 | 16 | 0", "guarded", "host_cpu.exceptions grows"},
    {"pmp.granularity", "4 B | 4096 B", "guarded", "host_cpu.exceptions shrinks"},
    {"triggers", "4 | 0", "guarded", "host_cpu.exceptions grows"},
    {"cpi.each", "1 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.load", "1 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.store", "0 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.multiply", "2 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.divide", "15 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.branch", "2 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.jump", "2 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.atomic", "4 cycles | 200 cycles", "computes", "time grows"},
    {"cpi.csr", "2 cycles | 200 cycles", "computes", "time grows"});

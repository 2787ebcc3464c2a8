/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_l2_slice, "l2_slice/write_back",
    {"bytes", "16 KiB | 2 KiB", "strided", "l2_slice.misses grows; l2_slice.write_backs grows"},
    {"ways", "8 | 1", "strided; l2.bytes=4 KiB", "l2_slice.misses differs"},
    {"replacement", "lru | fifo", "everything; l2.bytes=1 KiB", "l2_slice.misses differs"},
    {"latency", "140 cycles | 300 cycles", "stream", "simt_core.load_latency_cycles grows; l2_slice.loads stays"},
    {"port_bytes", "64 B | 8 B", "strided", "l2_slice.port_busy_cycles grows"},
    {"atomic_words", "8 | 1", "atomic", "l2_slice.port_busy_cycles grows; l2_slice.atomic_words stays"},
    {"mshrs", "64 | 1", "strided", "l2_slice.stall_cycles.mshrs grows; l2_slice.mshr_maximum shrinks"},
    {"mshr_targets", "8 | 1", "strided; core.l1.global=bypass", "l2_slice.stall_cycles.targets grows"},
    {"write_backs", "32 | 1", "strided; l2.bytes=2 KiB", "l2_slice.stall_cycles.memory grows"},
    {"reply_queue", "16 | 1", "strided; reply_network.flit_bytes=1 B", "l2_slice.stall_cycles.reply grows"},
    {"versions", "4096 | 1", "atomic", "l2_slice.store_conditional.failures grows"});

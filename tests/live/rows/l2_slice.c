/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* Rows of both types; RUN begins the name of the run. */
/* clang-format off */
#define ROWS(RUN) \
    {"ways", "8 | 1", RUN "strided; l2.bytes=4 KiB", "l2_slice.misses differs"}, \
    {"replacement", "lru | fifo | plru | random", RUN "everything; l2.bytes=1 KiB", "time differs"}, \
    {"latency", "140 cycles | 300 cycles", RUN "stream", "simt_core.load_latency_cycles grows; l2_slice.loads stays"}, \
    {"port_bytes", "64 B | 8 B", RUN "strided", "l2_slice.port_busy_cycles grows"}, \
    {"atomic_words", "8 | 1", RUN "atomic", "l2_slice.port_busy_cycles grows; l2_slice.atomic_words stays"}, \
    {"atomic.sector_words", "8 | 1", RUN "atomic", "l2_slice.atomic_cycles grows; l2_slice.atomic_words stays"}, \
    {"atomic.same_word", "0 cycles | 9 cycles | 40 cycles", RUN "atomic", "l2_slice.atomic_cycles grows; l2_slice.stall_cycles.atomic_word grows"}, \
    {"atomic.line_lock", "0 cycles | 9 cycles | 40 cycles", RUN "atomic; core.atomic.request=words", "l2_slice.stall_cycles.atomic_line grows"}, \
    {"atomic.lock_bytes", "4 B | 128 B", RUN "atomic; l2.atomic.line_lock=9 cycles; core.atomic.request=lanes", "l2_slice.stall_cycles.atomic_line grows"}, \
    {"atomic_latency", "0 cycles | 100 cycles", RUN "atomic", "kernels grows; l2_slice.port_busy_cycles stays"}, \
    {"mshrs", "64 | 1", RUN "strided", "l2_slice.stall_cycles.mshrs grows; l2_slice.mshr_maximum shrinks"}, \
    {"mshr_targets", "8 | 1", RUN "strided; core.l1.global=bypass", "l2_slice.stall_cycles.targets grows"}, \
    {"write_backs", "32 | 1", RUN "strided; l2.bytes=2 KiB", "l2_slice.stall_cycles.memory grows"}, \
    {"reply_queue", "16 | 1", RUN "strided; reply_network.flit_bytes=1 B", "l2_slice.stall_cycles.reply grows"}, \
    {"versions", "4096 | 1", RUN "atomic", "l2_slice.store_conditional.failures grows"}, \
    {"sector", "128 B | 32 B", RUN "strided", "l2_slice.bytes_filled shrinks"}, \
    {"set_hash", "linear | multiplicative | fermi | xor | ipoly", RUN "strided; l2.bytes=4 KiB; l2.ways=1", "l2_slice.misses differs"}, \
    {"partial_writes", "fetch | mask", RUN "strided; l2.sector=32 B", "l2_slice.bytes_filled shrinks; l2_slice.partial_sectors grows"}, \
    {"fill", "neighbours | sectors", RUN "strided; l2.sector=32 B", "l2_slice.fills grows; l2_slice.bytes_filled stays"}, \
    {"context_ways", "1 | 6", RUN "strided; l2.bytes=4 KiB", "l2_slice.misses differs"}, \
    {"context_port_bytes", "64 B | 8 B", RUN "shuffled", "l2_slice.port_busy_cycles grows"}, \
    {"fill_port", "own | shared", RUN "strided", "l2_slice.port_busy_cycles grows; l2_slice.fills stays"}

LIVE_TABLE(live_l2_slice, "l2_slice/write_back",
    {"bytes", "16 KiB | 2 KiB", "strided", "l2_slice.misses grows; l2_slice.write_backs grows"},
    ROWS(""));
LIVE_TABLE(live_l2_slice_through, "l2_slice/write_through",
    {"bytes", "16 KiB | 2 KiB", "through_strided", "l2_slice.misses grows"},
    ROWS("through_"));

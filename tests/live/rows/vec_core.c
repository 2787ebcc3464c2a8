/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_vec_core, "vec_core/rvv",
    {"vlen", "128 | 512", "vector", "vec_core.vector_instructions shrinks; vec_core.measured_cycles shrinks"},
    {"vlen", "128 | 384", "vector", "refused: vlen (384) is not a power of two"},
    {"issue.width", "1 | 4", "vector", "vec_core.measured_cycles shrinks"},
    {"decode.depth", "2 cycles | 20 cycles", "vector", "vec_core.measured_cycles grows"},
    {"rob.entries", "8 | 128", "vector", "vec_core.measured_cycles shrinks"},
    {"predictor", "bimodal | perfect", "vector", "vec_core.mispredictions shrinks; vec_core.measured_cycles shrinks"},
    {"latency.multiply", "3 cycles | 60 cycles", "vector", "vec_core.active_cycles grows"},
    {"latency.divide", "12 cycles | 90 cycles", "vector", "vec_core.active_cycles grows"},
    {"latency.float", "4 cycles | 40 cycles", "vector_products", "vec_core.measured_cycles grows"},
    {"latency.vector", "2 cycles | 20 cycles", "vector", "vec_core.measured_cycles grows"},
    {"latency.element", "2 cycles | 20 cycles", "vector_products", "vec_core.measured_cycles grows"},
    {"l1i.bytes", "64 B | 64 KiB", "vector; core.l1i.ways=1", "vec_core.l1i_misses shrinks"},
    {"l1i.ways", "1 | 4", "vector; core.l1i.bytes=256 B", "vec_core.l1i_misses differs"},
    {"l1d.bytes", "512 B | 32 KiB", "vector", "vec_core.l1d_misses shrinks"},
    {"l1d.ways", "1 | 8", "vector; core.l1d.bytes=1 KiB", "vec_core.l1d_misses differs"},
    {"l1d.latency", "2 cycles | 20 cycles", "vector", "vec_core.measured_cycles grows"},
    {"l2.bytes", "2 KiB | 1 MiB", "vector", "vec_core.l2_misses shrinks"},
    {"l2.ways", "1 | 16", "vector; core.l2.bytes=2 KiB", "vec_core.l2_misses differs"},
    {"l2.latency", "6 cycles | 60 cycles", "vector; core.l1d.bytes=512 B", "vec_core.measured_cycles grows"},
    {"l2.misses", "1 | 32", "vector", "vec_core.wait_cycles shrinks"},
    {"l2.prefetch", "0 | 8", "vector", "vec_core.prefetches grows"},
    {"l1d.ports", "1 | 4", "vector_products", "vec_core.measured_cycles shrinks"},
    {"loads", "1 | 8", "vector_lists", "vec_core.measured_cycles shrinks; vec_core.overlapped grows"},
    {"stores", "1 | 32", "vector", "vec_core.active_cycles shrinks"});

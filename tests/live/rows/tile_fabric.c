/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_tile_fabric, "tile_fabric/reconfigurable",
    {"tiles", "2 | 3", "tiles", "fails: and links of 8 PEs"},
    {"pes", "4 | 5", "tiles", "fails: and links of 8 PEs"},
    {"l0.banks", "4 | 8", "tiles", "tile_fabric.bank_conflict_cycles differs"},
    {"l0.bytes", "4 KiB | 1 KiB", "tiles", "tile_fabric.l0_misses grows"},
    {"l0.ways", "4 | 1", "tiles", "tile_fabric.l0_misses grows"},
    {"l0.latency", "2 cycles | 20 cycles", "tiles", "kernels grows"},
    {"l0.mshrs", "8 | 1", "tiles", "tile_fabric.mshr_stall_cycles grows"},
    {"l0.mshr_targets", "16 | 1", "tiles", "tile_fabric.mshr_stall_cycles grows"},
    {"l0.write", "back | through", "tiles", "tile_fabric.write_backs shrinks; tile_fabric.write_back_bytes shrinks"},
    {"l1.banks", "2 | 1", "tiles", "tile_fabric.l1_hits shrinks"},
    {"l1.bytes", "1 KiB | 128 B", "tiles", "tile_fabric.l1_hits shrinks"},
    {"l1.ways", "2 | 1", "tiles", "tile_fabric.l1_hits differs"},
    {"l1.latency", "4 cycles | 40 cycles", "tiles", "kernels grows"},
    {"l1.ports", "16 | 1", "tiles", "kernels differs"},
    {"l1.mshrs", "32 | 1", "tiles", "kernels grows"},
    {"crossbar.latency", "2 cycles | 30 cycles", "tiles", "kernels grows"},
    {"reconfigure", "10 cycles | 100 cycles", "tiles", "tile_fabric.reconfigure_cycles grows; kernels grows"},
    {"manager.latency", "2 cycles | 40 cycles", "tiles", "kernels grows"},
    {"stale_reads", "count | fault", "tiles_forget", "fails: reads stale bytes"});

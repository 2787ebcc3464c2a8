/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_dma_engine, "dma_engine/channels",
    {"channels", "2 | 1", "copies", "/blocks/dma/total/max_copies shrinks; dma_engine.copies stays"},
    {"burst", "256 B | 32 B", "copies", "dma_engine.host_reads grows; dma_engine.bytes_to_device stays"},
    {"outstanding", "32 | 1", "copies", "dma_engine.max_bursts shrinks; dma_engine.copy_cycles grows"},
    {"link.width", "8 B | 1 B", "copies", "dma_engine.link_out_cycles grows; dma_engine.link_in_cycles grows; time grows"},
    {"setup", "0 cycles | 2000 cycles", "copies", "dma_engine.copy_cycles grows; time grows"});

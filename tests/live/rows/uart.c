/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_uart, "uart/transmitter",
    {"address", "0x18020000000 | 0x18080000000", "prints", "fails: where nothing answers"},
    {"latency", "2 cycles | 500 cycles", "prints", "host_cpu.bus_wait_cycles grows"},
    {"fifo", "16 | 1", "prints", "uart.max_fifo shrinks"},
    {"bytes_per_second", "10000000 | 1000000", "prints", "time grows; uart.characters stays"},
    {"input", "\"\" | /nowhere", "prints", "refused: cannot be read"});

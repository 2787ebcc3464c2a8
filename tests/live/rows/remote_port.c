/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
#define ROWS(type, run)                                                                                                \
    {"address", "unix:live-" type ".socket | nowhere", run, "refused: expected unix:PATH"},                            \
    {"timeout", "10 s | 0 s", run, "refused: 0"},                                                                      \
    {"quantum", "0 s | 100 ns", run, "remote_port.turns shrinks"},                                                     \
    {"window.base", "0x18040000000 | 0x18090000000", run, "remote_port.requests shrinks"},                             \
    {"window.bytes", "256 KiB | 0 B", run, "remote_port.requests shrinks"}

LIVE_TABLE(live_remote_port, "remote_port/device", ROWS("device", "remote"));
LIVE_TABLE(live_remote_port_host, "remote_port/host", ROWS("host", "remote_host"));

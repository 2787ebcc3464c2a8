/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
#define ROWS(type, run)                                                                                                \
    {"address", "unix:live-" type ".socket | nowhere", run, "refused: expected unix:PATH"},                            \
    {"role", "listen | connect", run "; remote.timeout=300 ms", "fails: No such file or directory"},                   \
    {"timeout", "10 s | 0 s", run, "refused: 0"},                                                                      \
    {"quantum", "1 us | 100 ns", run, "qemu_port.syncs grows"},                                                        \
    {"window.base", "0x18040000000 | 0x18090000000", run, "qemu_port.requests shrinks"},                               \
    {"window.bytes", "256 KiB | 0 B", run, "qemu_port.requests shrinks"},                                              \
    {"access.device", "0 | 7", run, "qemu_port.refused grows"},                                                        \
    {"access.machine", "0 | 0x19000000000", run, "qemu_port.refused grows"},                                           \
    {"access.peer", "0 | 0x8000000000000000", run, "qemu_port.refused grows"},                                         \
    {"memory.device", "1 | 7", run, "qemu_port.strays grows"},                                                         \
    {"memory.machine", "0 | 0x100000000000", run, "qemu_port.peer_refused grows"},                                     \
    {"memory.peer", "0 | 0x80000000000", run, "qemu_port.peer_refused grows"},                                            \
    {"notify.device", "2 | 7", run, "qemu_port.peer_interrupts shrinks"},                                              \
    {"interrupt.device", "3 | 7", run, "qemu_port.strays grows"},                                                      \
    {"level.bit", "11 | 64", run, "refused: 64"}

LIVE_TABLE(live_qemu_port, "qemu_port/device", ROWS("device", "qemu"));
LIVE_TABLE(live_qemu_port_host, "qemu_port/host", ROWS("host", "qemu_host"));

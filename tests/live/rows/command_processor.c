/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_command_processor, "command_processor/queues",
    {"queues", "8 | 2", "queues", "fails: queue"},
    {"concurrent_grids", "8 | 1", "queues", "command_processor.max_grids shrinks; command_processor.launch_wait_cycles grows"},
    {"host_requests", "16 | 1", "everything", "command_processor.max_host_requests shrinks; host_cpu.transfer_cycles grows"},
    {"lines_in_flight", "64 | 2", "everything", "command_processor.max_lines_in_flight shrinks; command_processor.stall_lines_cycles grows"},
    {"memory", "1536 MiB | 64 KiB", "everything", "fails: memory"},
    {"launch_align", "false | true", "queues", "command_processor.aligned_launches grows"},
    {"settle", "1000 cycles | 5000 cycles", "everything", "command_processor.launch_wait_cycles grows"},
    {"launch_latency", "0 cycles | 5000 cycles", "everything", "command_processor.launch_wait_cycles grows"});

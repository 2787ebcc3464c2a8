/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_crossbar_islip, "crossbar/islip",
    {"flit_bytes", "32 B | 8 B", "islip_network", "crossbar.flits grows; crossbar.packets stays"},
    {"latency", "5 cycles | 50 cycles", "islip_network", "simt_core.load_latency_cycles grows; crossbar.packets stays"},
    {"queues", "virtual_output | fifo", "islip_network", "crossbar.queueing_cycles differs; crossbar.packets stays"},
    {"queue_depth", "8 | 1", "islip_network; request_network.queues=virtual_output; reply_network.queues=virtual_output", "crossbar.queueing_cycles differs; crossbar.packets stays"},
    {"virtual_channels", "1 | 8", "announcing_islip; request_network.channel_by=class; request_network.queue_depth=1", "crossbar.queueing_cycles differs; crossbar.packets stays"},
    {"channel_by", "unit | class", "announcing_islip; request_network.virtual_channels=8; request_network.queue_depth=1", "crossbar.queueing_cycles differs; crossbar.packets stays"},
    {"inputs_per_port", "1 | 2", "islip_network", "crossbar.queueing_cycles grows; crossbar.packets stays"},
    {"port_sharing", "neighbours | stride", "announcing_islip; request_network.inputs_per_port=2", "crossbar.queueing_cycles differs; crossbar.packets stays"},
    {"multicast_fanout", "1 | 3", "announcing_islip", "crossbar.flits shrinks; crossbar.packets stays"},
    {"context_path", "0 B | 64 B", "islip_shuffled", "crossbar.context_setups grows"},
    {"context_setup", "10 cycles | 100 cycles", "islip_shuffled; request_network.context_path=64 B", "tb_scheduler.shuffle_cycles differs"},
    {"outputs_per_port", "1 | 2", "islip_network", "crossbar.queueing_cycles grows; crossbar.packets stays"},
    {"input_speedup", "1 | 2", "islip_network; request_network.queues=virtual_output", "crossbar.queueing_cycles differs; crossbar.packets stays"},
    {"iterations", "1 | 4", "announcing_islip", "crossbar.queueing_cycles differs; crossbar.packets stays"});

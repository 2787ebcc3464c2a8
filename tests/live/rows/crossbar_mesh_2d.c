/* SPDX-License-Identifier: MIT */
#include "../live.h"

/* clang-format off */
LIVE_TABLE(live_crossbar_mesh_2d, "crossbar/mesh_2d",
    {"columns", "4 | 2", "mesh_network", "crossbar.flit_hops differs; crossbar.packets stays"},
    {"rows", "4 | 1", "mesh_network; request_network.columns=2; reply_network.columns=2", "crossbar.flit_hops differs; crossbar.packets stays"},
    {"flit_bytes", "32 B | 8 B", "mesh_network", "crossbar.flits grows; crossbar.packets stays"},
    {"router_latency", "3 cycles | 30 cycles", "mesh_network", "simt_core.load_latency_cycles grows; crossbar.packets stays"},
    {"link_latency", "1 cycle | 30 cycles", "mesh_network", "simt_core.load_latency_cycles grows; crossbar.packets stays"},
    {"buffer_flits", "8 | 1", "mesh_network", "crossbar.traversal_cycles grows; crossbar.packets stays"},
    {"virtual_channels", "1 | 8", "announcing_mesh; request_network.channel_by=class", "crossbar.traversal_cycles differs; crossbar.packets stays"},
    {"channel_by", "unit | class", "announcing_mesh; request_network.virtual_channels=8", "crossbar.traversal_cycles differs; crossbar.packets stays"},
    {"input_nodes", "0-3 | 0", "mesh_network", "crossbar.flit_hops differs; crossbar.packets stays"},
    {"output_nodes", "0-3 | 15", "mesh_network", "crossbar.flit_hops grows; crossbar.packets stays"});

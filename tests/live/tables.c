/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "live.h"

/* One per file of rows/. */
extern const live_table live_command_processor, live_crossbar, live_crossbar_ideal, live_dram, live_functional_core,
    live_host, live_l2_slice, live_network_bridge, live_simt_core, live_tb_scheduler, live_traffic_generator,
    live_machine_keys, live_address_map_keys, live_block_keys, live_link_keys;

const live_table *const live_tables[] = {
    &live_command_processor, &live_crossbar,     &live_crossbar_ideal,    &live_dram,
    &live_functional_core,   &live_host,         &live_l2_slice,          &live_network_bridge,
    &live_simt_core,         &live_tb_scheduler, &live_traffic_generator, &live_machine_keys,
    &live_address_map_keys,  &live_block_keys,   &live_link_keys,         NULL,
};

const live_table *live_table_of(const char *subject)
{
    for (const live_table *const *table = live_tables; *table; table++)
        if (!strcmp((*table)->subject, subject))
            return *table;
    return NULL;
}

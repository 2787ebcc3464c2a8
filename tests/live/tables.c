/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "live.h"

/* One per file of rows/. */
#define TABLES(X)                                                                                                      \
    X(live_command_processor)                                                                                          \
    X(live_commit_id_vendor)                                                                                           \
    X(live_commit_unit)                                                                                                \
    X(live_commit_unit_kilo)                                                                                           \
    X(live_crossbar)                                                                                                   \
    X(live_crossbar_ideal)                                                                                             \
    X(live_crossbar_islip)                                                                                             \
    X(live_crossbar_mesh_2d)                                                                                           \
    X(live_dma_engine)                                                                                                 \
    X(live_dram)                                                                                                       \
    X(live_dram_fixed_latency)                                                                                         \
    X(live_exit_device)                                                                                                \
    X(live_functional_core)                                                                                            \
    X(live_host)                                                                                                       \
    X(live_host_bus)                                                                                                   \
    X(live_host_cpu)                                                                                                   \
    X(live_interrupt_controller)                                                                                       \
    X(live_l2_slice)                                                                                                   \
    X(live_l2_slice_through)                                                                                           \
    X(live_network_bridge)                                                                                             \
    X(live_os_model)                                                                                                   \
    X(live_qemu_port)                                                                                                  \
    X(live_qemu_port_host)                                                                                             \
    X(live_remote_port)                                                                                                \
    X(live_remote_port_host)                                                                                           \
    X(live_simt_core)                                                                                                  \
    X(live_tb_scheduler)                                                                                               \
    X(live_tile_fabric)                                                                                                \
    X(live_timer)                                                                                                      \
    X(live_traffic_generator)                                                                                          \
    X(live_transaction_memory)                                                                                         \
    X(live_uart)                                                                                                       \
    X(live_validation_unit)                                                                                            \
    X(live_vec_core)                                                                                                   \
    X(live_machine_keys)                                                                                               \
    X(live_address_map_keys)                                                                                           \
    X(live_perturb_keys)                                                                                               \
    X(live_block_keys)                                                                                                 \
    X(live_link_keys)

#define DECLARED(name) extern const live_table name;
TABLES(DECLARED)

#define LISTED(name) &name,
const live_table *const live_tables[] = {TABLES(LISTED) NULL};

const live_table *live_table_of(const char *subject)
{
    for (const live_table *const *table = live_tables; *table; table++)
        if (!strcmp((*table)->subject, subject))
            return *table;
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "registry.h"

#include <pthread.h>

#include "command_processor.h"
#include "commit_id_vendor.h"
#include "commit_unit.h"
#include "compose.h"
#include "crossbar.h"
#include "dma_engine.h"
#include "dram.h"
#include "exit_device.h"
#include "functional_core.h"
#include "host.h"
#include "host_bus.h"
#include "host_cpu.h"
#include "interrupt_controller.h"
#include "l2_slice.h"
#include "network_bridge.h"
#include "os_model.h"
#include "qemu_port.h"
#include "remote_port.h"
#include "simt_core.h"
#include "tb_scheduler.h"
#include "tile_fabric.h"
#include "timer.h"
#include "traffic_generator.h"
#include "transaction_memory.h"
#include "uart.h"
#include "validation_unit.h"
#include "vec_core.h"

static const hd_block_class *const declared[] = {
    &hd_command_processor_queues,
    &hd_commit_id_vendor_contiguous,
    &hd_commit_unit_getm,
    &hd_commit_unit_kilo,
    &hd_crossbar_round_robin,
    &hd_crossbar_ideal,
    &hd_crossbar_islip,
    &hd_crossbar_mesh_2d,
    &hd_dma_engine_channels,
    &hd_dram_banked,
    &hd_dram_fixed_latency,
    &hd_exit_device_mailbox,
    &hd_host_bus_decoder,
    &hd_host_cpu_rv64,
    &hd_host_native,
    &hd_interrupt_controller_plic,
    &hd_l2_slice_write_back,
    &hd_l2_slice_write_through,
    &hd_network_bridge_lines,
    &hd_os_model_threads,
    &hd_qemu_port_device,
    &hd_qemu_port_host,
    &hd_remote_port_device,
    &hd_remote_port_host,
    &hd_simt_core_functional,
    &hd_simt_core_timed,
    &hd_simt_core_traffic,
    &hd_tb_scheduler_round_robin,
    &hd_tile_fabric_reconfigurable,
    &hd_timer_clint,
    &hd_transaction_memory_ideal,
    &hd_uart_transmitter,
    &hd_validation_unit_getm,
    &hd_vec_core_rvv,
};

#define CLASSES (sizeof declared / sizeof *declared)
static const hd_block_class *classes[CLASSES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void compose(void)
{
    for (size_t i = 0; i < CLASSES; i++)
        classes[i] = declared[i]->unit_slot_count ? units_compose(declared[i], NULL, 0) : declared[i];
}

netlist_registry hd_builtin_classes(void)
{
    pthread_once(&once, compose);
    return (netlist_registry){.classes = classes, .count = CLASSES};
}

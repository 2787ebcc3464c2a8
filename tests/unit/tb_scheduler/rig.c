/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <string.h>

const hd_core_capacity rig_small_core = {
    .lanes = 32,
    .warps = 8,
    .threads = 256,
    .blocks = 4,
    .registers = 16384,
    .registers_per_thread = 32,
    .scratchpad_bytes = 16384,
};

const hd_programs *rig_programs;

void rig_report_capacity(kit_block *kit, uint32_t core, const hd_core_capacity *capacity)
{
    hd_packet *packet = kit_packet(kit, HD_CORE_CAPACITY, sizeof *capacity);
    packet->source = (uint16_t)core;
    memcpy(hd_body(packet), capacity, sizeof *capacity);
    kit_send(kit, PORT_EVENT, core, packet, kit_now(kit));
}

kit_block *rig_create(const char *const *parameters, uint32_t cores, const hd_core_capacity *capacity)
{
    kit_block *kit = kit_create(&hd_tb_scheduler_round_robin, parameters);
    kit_connect(kit, PORT_LAUNCH, 0, 1, 0);
    kit_connect(kit, PORT_DONE, 0, 1, 0);
    for (uint32_t i = 0; i < cores; i++) {
        kit_connect(kit, PORT_DISPATCH, i, 1, 0);
        kit_connect(kit, PORT_EVENT, i, 1, 0);
    }
    if (rig_programs)
        kit_provide(kit, HD_EXTENSION_PROGRAMS, rig_programs);
    kit_start(kit);
    for (uint32_t i = 0; capacity != NULL && i < cores; i++)
        rig_report_capacity(kit, i, capacity);
    return kit;
}

hd_grid rig_grid(uint32_t launch, uint32_t blocks, uint32_t threads)
{
    return (hd_grid){
        .launch = launch,
        .entry_pc = 0x10000100 + launch * 0x100,
        .grid_size = {blocks, 1, 1},
        .block_size = {threads, 1, 1},
        .private_bytes = 1024,
    };
}

void rig_launch(kit_block *kit, const hd_grid *grid, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_GRID_LAUNCH, sizeof *grid);
    packet->source = COMMAND_PROCESSOR;
    packet->tag = grid->launch;
    memcpy(hd_body(packet), grid, sizeof *grid);
    kit_send(kit, PORT_LAUNCH, 0, packet, t);
}

uint32_t rig_take(kit_block *kit, uint32_t core, rig_dispatch *dispatch, hd_time t)
{
    hd_packet *packet = kit_receive(kit, PORT_DISPATCH, core, t);
    if (packet == NULL)
        return 0;
    dispatch->tag = packet->tag;
    dispatch->arrival = kit_received_at(kit);
    memcpy(&dispatch->launch, hd_body(packet), sizeof dispatch->launch);
    kit_free(kit, packet);
    return 1;
}

void rig_finish(kit_block *kit, uint32_t core, uint64_t tag, hd_time t)
{
    hd_packet *packet = kit_packet(kit, HD_BLOCK_DONE, 0);
    packet->source = (uint16_t)core;
    packet->tag = tag;
    kit_send(kit, PORT_EVENT, core, packet, t);
}

static uint32_t finish_later(kit_block *kit, void *context, uint32_t port, uint32_t element, hd_packet *packet,
                             hd_time t)
{
    const uint64_t *cycles = context;
    if (port == PORT_DISPATCH)
        rig_finish(kit, element, packet->tag, t + kit_cycles(kit, *cycles));
    return 0;
}

void rig_answer(kit_block *kit, const uint64_t *cycles)
{
    kit_respond(kit, finish_later, (void *)(uintptr_t)cycles);
}

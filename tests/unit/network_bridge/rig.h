/* SPDX-License-Identifier: MIT */
/* A bridge with the test at its ports and a memory behind the network. A cycle is 1000 ps, links take one. */
#ifndef NETWORK_BRIDGE_RIG_H
#define NETWORK_BRIDGE_RIG_H

#include <criterion/criterion.h>

#include "hd_address.h"
#include "kit.h"
#include "network_bridge.h"
#include "state.h"

enum { CYCLE = 1000, LINK = 1, MEMORY = 20, MEMORY_BYTES = 1 << 14 };

/* What the memory behind the network holds, from HD_GLOBAL_BASE on; after MEMORY cycles it has answered. */
typedef struct rig {
    kit_block *kit;
    uint8_t memory[MEMORY_BYTES];
    uint32_t stores, loads;
} rig;

void rig_open(rig *rig, const char *const *parameters, uint32_t credits);
void rig_close(rig *rig);
/* address counts from HD_GLOBAL_BASE. data NULL: a read. enables NULL: none. */
void rig_send(rig *rig, uint64_t address, const uint8_t *data, const uint8_t *enables, uint32_t bytes, uint64_t tag,
              hd_time t);
/* The next response; it must be there by t. The caller frees it. */
hd_packet *rig_response(rig *rig, hd_time t);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A host CPU with the test at its ports: a device on its bus, interrupt lines, and somebody who reads and writes its RAM. A
 * cycle is 1000 ps, links take one. Programs are built from programs/NAME.S and start at the first byte of RAM.
 */
#ifndef HOST_CPU_RIG_H
#define HOST_CPU_RIG_H

#include <criterion/criterion.h>

#include "host_cpu.h"
#include "kit.h"
#include "state.h"

enum { CYCLE = 1000, LINK = 1, DEVICE = 10, DEVICE_BYTES = 0x200, RAM_BYTES = 1 << 16 };

#define DEVICE_BASE HD_HOST_DEVICE_BASE
#define DEVICE_LOWERS 24u /* offset; a store there takes every interrupt line back */

typedef struct rig_store {
    hd_time t; /* when it came to the device */
    uint64_t offset;
    uint64_t value;
    uint32_t bytes;
} rig_store;

enum { RIG_HARTS = 4 }; /* that have interrupts, two links each */

typedef struct rig {
    kit_block *kit;
    uint8_t device[DEVICE_BYTES]; /* answers DEVICE cycles later; beyond it nothing does */
    rig_store stores[65536];
    uint32_t store_count;
} rig;

/* parameters: as kit_create takes them; RAM has RAM_BYTES. */
void rig_open(rig *rig, const char *program, const char *const *parameters);
void rig_close(rig *rig);

void rig_line(rig *rig, uint32_t line, uint32_t level, hd_time t);
void rig_line_of_hart(rig *rig, uint32_t hart, uint32_t line, uint32_t level, hd_time t);
/* Somebody's access to RAM; offset from its base. data NULL: a read. */
void rig_access(rig *rig, uint64_t offset, const void *data, uint32_t bytes, hd_time t);
/* Its answer, which must be there by t. The caller frees it. */
hd_packet *rig_answer(rig *rig, hd_time t);

uint64_t rig_ram(rig *rig, uint64_t offset); /* a double word */

/* Puts a program into the RAM of a block that runs elsewhere than in a rig. */
void rig_load(kit_block *kit, const char *program);

#endif

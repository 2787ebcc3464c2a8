/* SPDX-License-Identifier: MIT */
/* A command processor with the test in the place of the host, of the L2 slices and of the thread-block scheduler. */
#ifndef COMMAND_PROCESSOR_RIG_H
#define COMMAND_PROCESSOR_RIG_H

#include "command_processor.h"
#include "hd_address.h"
#include "hd_queue.h"
#include "kit.h"

enum { PORT_REQUEST, PORT_REPLY, PORT_HOST, PORT_INTERRUPT, PORT_LAUNCH, PORT_DONE, PORT_COPY, PORT_COPIED };

#define RIG_MEMORY_BYTES 65536u /* all of device memory */
#define RIG_RING HD_GLOBAL_BASE /* rings, 16 entries: queue q's is at + q * RIG_QUEUE_STRIDE */
#define RIG_QUEUE_STRIDE 0x1000u
#define RIG_COMPLETION (HD_GLOBAL_BASE + 0x800u)
#define RIG_ENTRIES 16u

typedef struct rig {
    kit_block *kit;
    uint64_t reply_cycles; /* the L2 slices answer after so long; 0: the test answers */
    uint64_t grid_cycles;  /* a grid takes so long; 0: the test ends grids */
    uint64_t copy_cycles;  /* a copy takes so long; 0: the test ends copies */
    uint32_t copy_status;  /* with this */
    hd_time last_reply;
    hd_time last_done;
    uint8_t memory[RIG_MEMORY_BYTES];
} rig;

/* memory=64 KiB and settle=10 cycles unless parameters say otherwise. Not started. */
rig *rig_create(const char *const *parameters);
void rig_destroy(rig *r);
/* Makes this rig the other end of kit, which it does not own. */
void rig_attach(rig *r, kit_block *kit);

/* Carries out a line access in r->memory and returns the reply. */
hd_packet *rig_answer(rig *r, const hd_packet *request);

/* ---- The host's accesses ------------------------------------------------------------------------------------------ */

void rig_read(rig *r, uint64_t address, uint32_t bytes, uint64_t tag, hd_time t);
/* enables: one byte per data byte, or NULL. */
void rig_write(rig *r, uint64_t address, const void *data, const uint8_t *enables, uint32_t bytes, uint64_t tag,
               hd_time t);
/* Runs until the next response is there and returns its status; a read's data go to data (may be NULL). */
uint32_t rig_response(rig *r, uint64_t *tag, void *data);
uint32_t rig_register_read(rig *r, uint64_t offset, uint32_t *value); /* status */
uint32_t rig_register_write(rig *r, uint64_t offset, uint32_t value); /* status */

/* ---- Launches ----------------------------------------------------------------------------------------------------- */

void rig_open_queue(rig *r, uint32_t queue);
hd_queue_descriptor rig_descriptor(uint32_t launch);
/* Of 64 bytes at the end of memory. */
hd_queue_copy rig_copy(uint32_t number);
/* Puts the descriptor, of either kind, into memory without simulated time. */
void rig_put(rig *r, uint32_t queue, uint32_t index, const void *descriptor);
uint32_t rig_ring_doorbell(rig *r, uint32_t queue, uint32_t written); /* status */
/* The next launch that has arrived by t; 0: none. */
uint32_t rig_take_launch(rig *r, hd_grid *grid, hd_time t);
void rig_end_grid(rig *r, uint32_t launch, hd_time t);
/* The next interrupt that has arrived by t; 0: none. */
uint32_t rig_take_interrupt(rig *r, uint32_t *line, uint64_t *tag, hd_time t);
hd_queue_completion rig_completion(const rig *r, uint32_t queue, uint32_t index);

#endif

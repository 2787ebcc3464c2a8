/* SPDX-License-Identifier: MIT */
/*
 * How a host drives the device: registers of the command processor, rings of launches and copies, and completion records.
 *
 * A queue is a ring of descriptors in device memory; each describes a launch, or a copy by the DMA engine. The host
 * writes descriptors with ordinary memory writes, and then the number of descriptors written so far to the queue's
 * doorbell. The command processor fetches and executes them one after the other. When a grid or copy is done, it writes
 * the completion record and, once that is visible, raises the interrupt. Everything is little endian.
 */
#ifndef HD_QUEUE_H
#define HD_QUEUE_H

#include <stdint.h>

#include "hd_message.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Registers --------------------------------------------------------------------------------------------------- */

/*
 * Offsets from HD_HOST_MMIO_BASE. All registers are 32 bits wide and accept aligned accesses of 4 bytes. Other sizes or
 * alignments return HD_STATUS_BURST_ERROR, byte enables HD_STATUS_BYTE_ENABLE_ERROR; offsets without a register, writes
 * to read-only registers and values out of range return HD_STATUS_ADDRESS_ERROR. Refused writes change nothing.
 */
#define HD_REGISTER_IDENTIFICATION 0x000u /* read only: HD_IDENTIFICATION */
#define HD_REGISTER_VERSION 0x004u        /* read only: HD_QUEUE_VERSION */
#define HD_REGISTER_QUEUES 0x008u         /* read only: number of queues | HD_QUEUES_COPY: they accept copies */
#define HD_REGISTER_MEMORY_PAGES 0x00Cu   /* read only: size of device memory at HD_GLOBAL_BASE, in 4096 bytes */
#define HD_REGISTER_RUNNING 0x010u        /* read only: grids running now */
#define HD_REGISTER_ERROR 0x014u          /* HD_QUEUE_ERROR_*: first error since it was cleared; any write clears it */
#define HD_REGISTER_ERROR_QUEUE 0x018u    /* read only: queue of that error */
#define HD_REGISTER_ERROR_INDEX 0x01Cu    /* read only: descriptor of that error, counted from 0 */

#define HD_REGISTER_ERROR_STATUS 0x020u /* read only, for HD_QUEUE_ERROR_COPY: HD_STATUS_* of the refused access ... */
#define HD_REGISTER_ERROR_LOW 0x024u    /* read only: ... and its address, bits 31..0 */
#define HD_REGISTER_ERROR_HIGH 0x028u   /* read only: bits 63..32 */

#define HD_QUEUES_COPY 0x10000u       /* there is a DMA engine */
#define HD_IDENTIFICATION 0x31444548u /* "HED1" */
#define HD_QUEUE_VERSION 1u

/* Registers of queue q are at HD_REGISTER_QUEUE_BASE + q * HD_REGISTER_QUEUE_STRIDE. */
#define HD_REGISTER_QUEUE_BASE 0x1000u
#define HD_REGISTER_QUEUE_STRIDE 0x20u
#define HD_QUEUE_RING 0x00u       /* device address of the descriptors, a multiple of 128 */
#define HD_QUEUE_COMPLETION 0x04u /* device address of the completion records, a multiple of 32 */
#define HD_QUEUE_ENTRIES 0x08u    /* descriptors in the ring, a power of two up to HD_QUEUE_ENTRIES_MAX; 0 = disabled */
#define HD_QUEUE_DOORBELL 0x0Cu   /* descriptors written so far, mod 2^32; at most ENTRIES ahead of COMPLETED */
#define HD_QUEUE_COMPLETED 0x10u  /* read only: descriptors completed so far, mod 2^32 */
/* RING, COMPLETION and ENTRIES may be written while the queue is idle (DOORBELL = COMPLETED); writing ENTRIES sets both
 * counts to 0. A queue stopped by an error continues after ENTRIES has been written again. */
#define HD_QUEUE_ENTRIES_MAX 65536u
#define HD_QUEUES_MAX 64u

/* A descriptor that cannot be executed stops its queue, sets the error registers and raises HD_INTERRUPT_LINE_ERROR. */
#define HD_QUEUE_ERROR_NONE 0u
#define HD_QUEUE_ERROR_DESCRIPTOR                                                                                      \
    1u                            /* mark is neither HD_DESCRIPTOR_LAUNCH nor, with a DMA engine, HD_DESCRIPTOR_COPY */
#define HD_QUEUE_ERROR_GRID 2u    /* a grid or block size of zero */
#define HD_QUEUE_ERROR_PRIVATE 3u /* private_bytes not a multiple of 128 */
#define HD_QUEUE_ERROR_LAUNCH 4u  /* a launch with this number is already running */
#define HD_QUEUE_ERROR_COPY 5u    /* host or device refused an access of the copy; earlier accesses took effect */
#define HD_QUEUE_ERROR_RANGE 6u   /* a copy of 0 bytes, with an invalid direction, or outside device memory */

/* ---- Launch descriptors and completion records -------------------------------------------------------------------- */

#define HD_DESCRIPTOR_BYTES 128u
#define HD_DESCRIPTOR_LAUNCH 0x4C444548u /* "HEDL" */

typedef struct hd_queue_descriptor {
    uint32_t mark; /* HD_DESCRIPTOR_LAUNCH */
    uint32_t reserved;
    hd_grid grid;
    uint8_t unused[HD_DESCRIPTOR_BYTES - 8 - sizeof(hd_grid)];
} hd_queue_descriptor;

#define HD_DESCRIPTOR_COPY 0x43444548u /* "HEDC" */

typedef struct hd_queue_copy {
    uint32_t mark; /* HD_DESCRIPTOR_COPY */
    uint32_t reserved;
    hd_copy copy;
    uint8_t unused[HD_DESCRIPTOR_BYTES - 8 - sizeof(hd_copy)];
} hd_queue_copy;

#define HD_COMPLETION_BYTES 32u
#define HD_COMPLETION_DONE 1u

/* Record of descriptor i: at COMPLETION + i mod ENTRIES * HD_COMPLETION_BYTES. */
typedef struct hd_queue_completion {
    uint32_t launch; /* hd_grid.launch, hd_copy.number */
    uint32_t status; /* HD_COMPLETION_DONE */
    uint32_t queue;
    uint32_t index;       /* of the descriptor, mod 2^32 */
    uint64_t start_cycle; /* of the command processor's clock: sent to the scheduler or the DMA engine */
    uint64_t end_cycle;   /* the reply arrived */
} hd_queue_completion;

/* ---- Interrupts --------------------------------------------------------------------------------------------------- */

/* "interrupt/1", one per event: argument = line; tag = queue << 32 | number of launch or copy (error: descriptor index). */
#define HD_INTERRUPT_LINE_COMPLETION 0u
#define HD_INTERRUPT_LINE_ERROR 1u

#ifdef __cplusplus
}
static_assert(sizeof(hd_queue_descriptor) == HD_DESCRIPTOR_BYTES, "one descriptor is one line");
static_assert(sizeof(hd_queue_copy) == HD_DESCRIPTOR_BYTES, "one descriptor is one line");
static_assert(sizeof(hd_queue_completion) == HD_COMPLETION_BYTES, "completion records do not cross a line");
#else
_Static_assert(sizeof(hd_queue_descriptor) == HD_DESCRIPTOR_BYTES, "one descriptor is one line");
_Static_assert(sizeof(hd_queue_copy) == HD_DESCRIPTOR_BYTES, "one descriptor is one line");
_Static_assert(sizeof(hd_queue_completion) == HD_COMPLETION_BYTES, "completion records do not cross a line");
#endif

#endif

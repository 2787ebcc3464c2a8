/* SPDX-License-Identifier: MIT */
/*
 * The host side of a machine: the address map seen by a host CPU's firmware, and the messages of interrupt lines.
 * The host bus uses the memory protocol (hd_message.h); the device's windows are at the addresses of hd_address.h.
 */
#ifndef HD_ABI_HOST_H
#define HD_ABI_HOST_H

#include <stdint.h>

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Address map of the host bus --------------------------------------------------------------------------------- */

#define HD_HOST_RAM_BASE UINT64_C(0x0000008000000000)
#define HD_HOST_RAM_MAX UINT64_C(0x0000000100000000) /* bytes */

#define HD_HOST_DEVICE_BASE UINT64_C(0x0000018000000000) /* devices, HD_HOST_DEVICE_STRIDE apart */
#define HD_HOST_DEVICE_STRIDE UINT64_C(0x0000000010000000)
#define HD_HOST_TIMER_BASE (HD_HOST_DEVICE_BASE + 0 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_INTERRUPT_CONTROLLER_BASE (HD_HOST_DEVICE_BASE + 1 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_UART_BASE (HD_HOST_DEVICE_BASE + 2 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_EXIT_BASE (HD_HOST_DEVICE_BASE + 3 * HD_HOST_DEVICE_STRIDE)

/* ---- The host program, as seen by the platform ----------------------------------------------------------------------- */

#define HD_HOST_NO_PROGRAM 0u
#define HD_HOST_RUNNING 1u
#define HD_HOST_PASS 2u
#define HD_HOST_FAIL 3u  /* hd_app_main did not return HD_PASS, or hd_fail was called */
#define HD_HOST_ERROR 4u /* the program misused the runtime, or the device answered with an error */

typedef struct hd_host_option {
    const char *name;
    const char *value;
} hd_host_option;

typedef struct hd_host_report {
    const char *name;
    uint64_t value;
} hd_host_report;

/* A launch; launches are ordered by number. */
typedef struct hd_host_launch {
    const char *kernel;
    uint32_t queue;
    uint32_t grid_size[3];
    uint32_t block_size[3];
    uint32_t complete;    /* 1: the host has seen its completion, and the cycles below are valid */
    uint64_t start_cycle; /* of the command processor's clock */
    uint64_t end_cycle;
} hd_host_launch;

/*
 * "heddle.host_program/1": offered by the block that knows the state of the host program. Called between windows or when
 * all blocks have reached the same time.
 */
#define HD_EXTENSION_HOST_PROGRAM "heddle.host_program/1"
typedef struct hd_host_progress {
    uint32_t (*status)(const hd_block *block);     /* HD_HOST_* */
    hd_time (*ended)(const hd_block *block);       /* HD_NEVER: it has not ended */
    const char *(*message)(const hd_block *block); /* one line with the reason for a failure, or "" */
    /* From hd_report, in the order of first use. These and the message are valid until the next reset. */
    const hd_host_report *(*reports)(const hd_block *block, uint32_t *count);
    const hd_host_launch *(*launches)(const hd_block *block, uint32_t *count);
} hd_host_progress;

/* ---- Interrupt lines ---------------------------------------------------------------------------------------------- */

/*
 * To a hart: the interrupt line `argument` (bit of mip: 3 software, 7 timer, 11 external) now has the level `tag`, 0 or 1.
 * Sent when the level changes. wire = header.
 */
#define HD_INTERRUPT_LEVEL "interrupt.level/1"

#ifdef __cplusplus
}
#endif

#endif

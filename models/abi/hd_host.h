/* SPDX-License-Identifier: MIT */
/*
 * The host side of a machine: what a host CPU's firmware finds at which address, and how interrupt lines are told.
 * The host bus carries the memory protocol (hd_message.h); the device's windows lie at hd_address.h's addresses.
 */
#ifndef HD_HOST_H
#define HD_HOST_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Address map of the host bus --------------------------------------------------------------------------------- */

#define HD_HOST_RAM_BASE UINT64_C(0x0000008000000000)
#define HD_HOST_RAM_MAX UINT64_C(0x0000001000000000) /* bytes */

#define HD_HOST_DEVICE_BASE UINT64_C(0x0000018000000000) /* devices, HD_HOST_DEVICE_STRIDE apart */
#define HD_HOST_DEVICE_STRIDE UINT64_C(0x0000000010000000)
#define HD_HOST_TIMER_BASE (HD_HOST_DEVICE_BASE + 0 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_INTERRUPT_CONTROLLER_BASE (HD_HOST_DEVICE_BASE + 1 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_UART_BASE (HD_HOST_DEVICE_BASE + 2 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_EXIT_BASE (HD_HOST_DEVICE_BASE + 3 * HD_HOST_DEVICE_STRIDE)
#define HD_HOST_DMA_BASE (HD_HOST_DEVICE_BASE + 4 * HD_HOST_DEVICE_STRIDE)

/* ---- Interrupt lines ---------------------------------------------------------------------------------------------- */

/*
 * To a hart: the line `argument` (of mip: 3 software, 7 timer, 11 external) has the level `tag`, 0 or 1, from now on. Sent
 * when it changes. wire = header.
 */
#define HD_INTERRUPT_LEVEL "interrupt.level/1"

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * (timer, clint): the timers and software interrupts of `harts` harts, with the registers of a SiFive CLINT.
 *
 *   0x0000 + 4 h  msip of hart h      4 bytes; bit 0 is the level of the hart's software interrupt
 *   0x4000 + 8 h  mtimecmp of hart h  8 bytes, or 4 at a time; all ones after reset
 *   0xBFF8        mtime, of all       8 bytes, or 4 at a time; counts `tick` from time 0 on
 *
 * The timer interrupt of a hart is up while mtime >= its mtimecmp. Other offsets read and take nothing: HD_STATUS_ADDRESS_ERROR.
 */
#ifndef TIMER_H
#define TIMER_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_timer_clint;

#ifdef __cplusplus
}
#endif

#endif

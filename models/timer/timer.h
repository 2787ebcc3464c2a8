/* SPDX-License-Identifier: MIT */
/*
 * (timer, clint): the timer and the software interrupt of one hart, with the registers of a SiFive CLINT.
 *
 *   0x0000  msip      4 bytes; bit 0 is the level of the hart's software interrupt
 *   0x4000  mtimecmp  8 bytes, or 4 at a time; all ones after reset
 *   0xBFF8  mtime     8 bytes, or 4 at a time; counts `tick` from time 0 on
 *
 * The timer interrupt is up while mtime >= mtimecmp. Other offsets read and take nothing: HD_STATUS_ADDRESS_ERROR.
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

/* SPDX-License-Identifier: MIT */
/*
 * (interrupt_controller, plic): events and lines of devices as the external interrupts of harts, with registers after the RISC-V
 * PLIC. Source s = 1 + 4 * element + line, for line 0 to 3 of what is bound to element 0 to 6 of `source`, and 29 + element for what
 * is bound to element 0 to 2 of `line`.
 *
 *   0x000000 + 4 s  priority of source s, 0 = off to 7; 0 after reset
 *   0x001000        pending, bit s; read only
 *   0x002000        enabled, bit s; of hart h + 0x80 h
 *   0x200000        threshold: sources of a priority above it interrupt; of hart h + 0x1000 h
 *   0x200004        read: claims the pending, enabled source of the highest priority, the lowest number first; 0 = none.
 *                   write s: its handling is complete, and the source may interrupt again. Of hart h + 0x1000 h
 *
 * All are 4 bytes. Of several harts, those that have a source enabled are all interrupted, and one of them has the claim. Events
 * (HD_INTERRUPT) are counted, so that none is lost while one is being handled: each is one claim. A line (HD_INTERRUPT_LEVEL)
 * that is still up when its handling is complete interrupts again.
 */
#ifndef INTERRUPT_CONTROLLER_H
#define INTERRUPT_CONTROLLER_H

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const hd_block_class hd_interrupt_controller_plic;

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Pointers of a program in CUDA: 32 bits in registers, as all of Heddle's, but in memory as much room as on a host of 64 bits, which writes
 * and reads the same structs. What is behind the 32 bits is not looked at.
 */
#ifndef KERNELC_SLOTS_H
#define KERNELC_SLOTS_H

#include "ir_text.h"

#define SLOT_BYTES 8u

/* Of a retargeted program; to be freed. NULL: a variable cannot be had, because its value is a struct with an address in it. */
char *slots_text(ir_piece text, ir_piece *refused);

#endif

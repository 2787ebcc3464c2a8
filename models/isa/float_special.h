/* SPDX-License-Identifier: MIT */
/*
 * The operations of ISA_CLASS_SPECIAL on one lane: what a GPU's special function unit computes. Cards do not publish the last
 * bits of theirs, so these are defined here, to the bit: each is the single nearest to a double that is found by additions,
 * multiplications, divisions and square roots of IEEE 754 in the order written, rounded to nearest. No flags, no rounding mode.
 */
#ifndef ISA_FLOAT_SPECIAL_H
#define ISA_FLOAT_SPECIAL_H

#include <stdint.h>

/* operation: ISA_OP_SF_*. Bits of a single, as is the result; every NaN is 0x7FC00000. */
uint32_t isa_float_special(uint32_t operation, uint32_t a);

#endif

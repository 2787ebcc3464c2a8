/* SPDX-License-Identifier: MIT */
/* Loops of a load reserved and a store conditional, as the RISC-V specification constrains them. */
#ifndef ISA_RESERVATIONS_H
#define ISA_RESERVATIONS_H

#include "program.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_RESERVATION_MAX 16u /* instructions of such a loop */

/* May the instruction stand between lr.w and sc.w? No access, nothing that waits, no call. */
int isa_may_be_reserved(const isa_instruction *instruction);

/* Sets ISA_FLAG_RESERVED of all instructions behind an lr.w up to its sc.w, with it; clears it elsewhere. */
void isa_mark_reservations(isa_program *program);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a kernel can say of loops that wait for other threads, for those who measure how well spinning is found (docs/spin.md). It
 * is no instruction: a word of the section .heddle.spin (models/isa/spin_loops.h), the pc of the place. The smallest loop around it
 * repeats until another thread has done something.
 */
#ifndef SIMT_SPIN_H
#define SIMT_SPIN_H

#include "simt.h"

#define SIMT_SPIN_RECORD "0:\n\t.pushsection .heddle.spin\n\t.word 0b\n\t.popsection"

/* simt_opaque of the flag of such a loop, in its condition: while (!simt_opaque_spins(done)). */
#define simt_opaque_spins(variable)                                                                                    \
    __extension__({                                                                                                    \
        __asm__ volatile(SIMT_SPIN_RECORD SIMT_OWN_TEXT SIMT_NO_COPY : "+r"(variable) : SIMT_OWN);                     \
        (variable);                                                                                                    \
    })

/* In a loop without such a flag. gcc may arrange the code around it in another way. */
#define simt_spins() __asm__ volatile(SIMT_SPIN_RECORD)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What kernels in OpenCL C can say of Heddle's hardware beyond OpenCL (docs/opencl.md, docs/isa.md). #include <heddle_opencl.h>;
 * __HEDDLE__ is defined where it is there.
 *
 * Each call is one place in the code, which lanes reach together or not, as with barrier.
 */
#ifndef HEDDLE_OPENCL_H
#define HEDDLE_OPENCL_H

/* ---- Lanes of a warp -------------------------------------------------------------------------------------------------- */

/* Waits for all live lanes of the warp. */
void heddle_warp_sync(void) __attribute__((convergent));

/* Over the lanes that execute it together: is the value non-zero in any, in all; in which (lanes 0-31, 32-63)? */
uint heddle_vote_any(uint value) __attribute__((convergent));
uint heddle_vote_all(uint value) __attribute__((convergent));
uint heddle_ballot_low(uint value) __attribute__((convergent));
uint heddle_ballot_high(uint value) __attribute__((convergent));

/* The value of another lane: lane `lane`, own lane - distance, own lane + distance, own lane ^ mask. Own value where that lane does
 * not take part. as_uint and as_float carry other types. */
uint heddle_shuffle(uint value, uint lane) __attribute__((convergent));
uint heddle_shuffle_up(uint value, uint distance) __attribute__((convergent));
uint heddle_shuffle_down(uint value, uint distance) __attribute__((convergent));
uint heddle_shuffle_xor(uint value, uint mask) __attribute__((convergent));

#define HEDDLE_READ(name, number)                                                                                      \
    static inline __attribute__((always_inline, unused)) uint name(void)                                               \
    {                                                                                                                  \
        uint value;                                                                                                    \
        __asm__("csrr %0, " number : "=r"(value));                                                                     \
        return value;                                                                                                  \
    }

HEDDLE_READ(heddle_lane, "0xCCC")
HEDDLE_READ(heddle_warp, "0xCCD") /* in the work-group */

/* ---- Transactions ----------------------------------------------------------------------------------------------------- */

/*
 * Loads and stores of global memory between the two take place all at once, or not at all and again from tm_begin on. The pair stands in
 * one function, which is left only by its end: no return, break or goto across it; no atomics and no barriers inside.
 */
void tm_begin(void) __attribute__((convergent));
void tm_commit(void) __attribute__((convergent));
/* On local memory, on machines that have that. */
void tm_begin_scratchpad(void) __attribute__((convergent));

#endif

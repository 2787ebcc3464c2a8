/* SPDX-License-Identifier: MIT */
/*
 * Threads that an operating system moves among cores of different vector length (docs/vector-length.md).
 *
 *     core to OS   core.vector/1                       once, at time 0: what the core is
 *     OS to core   thread.run, thread.vector ...       the thread runs there from then on
 *     OS to core   thread.move                         it is to leave for a core of this vector length
 *     core to OS   thread.refused                      it stays: it is pinned to more than that
 *     core to OS   thread.stopped, thread.vector ...   it has left, its stores are acknowledged, and the core is free
 *     core to OS   thread.call                         it asks for something and waits
 *     OS to core   thread.return                       the answer: it goes on
 *     core to OS   thread.trap                         an exception that it has no handler for: it has ended, and the core is free
 *
 * A core has one thread at a time. The tag is the number of the thread. Of a thread that has left or ended a core answers nothing.
 */
#ifndef HD_THREAD_H
#define HD_THREAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HD_VECTOR_BITS_MIN 128u
#define HD_VECTOR_BITS_MAX 2048u
#define HD_VECTOR_REGISTERS 32u

#define HD_CORE_VECTOR "core.vector/1" /* argument: bits of a vector register */

/* What a thread is, its vector registers aside. */
typedef struct hd_thread_context {
    uint32_t x[64]; /* x0..x31, f0..f31 */
    uint32_t pc;
    uint32_t fcsr;
    uint32_t pin_level;
    uint32_t legacy;       /* 1: pinned for good, by a vector instruction outside of all pairs (Beaumont 2019 §5.4) */
    uint32_t pinned_bits;  /* of a pinned thread: its vector length */
    uint32_t vl, vtype;    /* of a pinned thread */
    uint32_t handler;      /* where it goes on after an exception; 0: it ends */
    uint32_t measured;     /* 1: between the marks of what is measured */
    uint32_t memory_base;  /* it may access what lies from here */
    uint32_t memory_end;   /* up to there, exclusive */
    uint32_t vector_bytes; /* of its vector registers, which follow; 0: they hold nothing */
    uint32_t calls;        /* 1: it waits for thread.return */
    uint32_t reserved;
    uint64_t physical;     /* is added to its addresses */
    uint64_t instructions; /* retired, on all cores */
} hd_thread_context;

static inline uint32_t hd_thread_is_pinned(const hd_thread_context *thread)
{
    return thread->pin_level != 0 || thread->legacy;
}

/* May it go on where vector registers have so many bits? (Beaumont 2019 §5.4) */
static inline uint32_t hd_thread_can_move(const hd_thread_context *thread, uint32_t vector_bits)
{
    return !hd_thread_is_pinned(thread) || vector_bits >= thread->pinned_bits;
}

#define HD_THREAD_RUN "thread.run/1" /* body hd_thread_context */
#define HD_THREAD_VECTOR                                                                                               \
    "thread.vector/1" /* the next bytes of its vector registers: HD_PACKET_BODY_MAX, but of the last */
#define HD_THREAD_STOPPED "thread.stopped/1" /* body hd_thread_context */

/* Body hd_thread_move. */
#define HD_THREAD_MOVE "thread.move/1"
typedef struct hd_thread_move {
    uint32_t vector_bits;
    uint32_t forced; /* 1: although it may not; for tests of what then goes wrong */
} hd_thread_move;

/* Body hd_thread_refusal. */
#define HD_THREAD_REFUSED "thread.refused/1"
typedef struct hd_thread_refusal {
    uint32_t pin_level;
    uint32_t legacy;
    uint32_t pinned_bits;
    uint32_t reserved;
} hd_thread_refusal;

/* Body hd_thread_call; the answer is the argument of thread.return. */
#define HD_THREAD_CALL "thread.call/1"
typedef struct hd_thread_call {
    uint32_t number; /* HD_CALL_*: a7 */
    uint32_t arguments[3];
} hd_thread_call;
#define HD_THREAD_RETURN "thread.return/1"

/* Body hd_thread_trap. */
#define HD_THREAD_TRAP "thread.trap/1"
typedef struct hd_thread_trap {
    uint32_t cause; /* mcause, or HD_CAUSE_* */
    uint32_t pc;
    uint32_t value; /* address or instruction */
    uint32_t reserved;
} hd_thread_trap;

/* ---- What a thread may ask for: ecall with the number in a7, the answer in a0 --------------------------------------- */

#define HD_CALL_EXIT 93u      /* a0: 0 if all is well. Linux's number */
#define HD_CALL_MEASURE 2000u /* a0 = 1: what follows is measured; 0: no longer. The core answers by itself */
#define HD_CALL_HANDLER                                                                                                \
    2001u /* a0: where to go on after the next exception, with its cause in a0 and its pc in a1; 0: nowhere. The core */
#define HD_CALL_MOVE 2002u  /* a0: number of a core to move to. Answer: 0 there; 1 refused */
#define HD_CALL_FORCE 2003u /* the same, whether it may or not */
#define HD_CALL_POWER                                                                                                  \
    2004u /* a0: number of a core, a1: 0 off, 1 on. Answer: 0 done; 1 refused; 2 deferred until no thread needs it */
#define HD_CALL_CORE 2005u /* Answer: number of the core that it runs on */
#define HD_CALL_BITS                                                                                                   \
    2006u /* a0: number of a core. Answer: bits of its vector registers; 0: there is none, or it is off */
#define HD_CALL_UNKNOWN UINT32_MAX /* answer to any other */

/* Exceptions beyond those of the privileged architecture: numbers for custom use. */
#define HD_CAUSE_UNPIN 24u        /* unpin.vl at PIN_LEVEL 0 */
#define HD_CAUSE_PIN_OVERFLOW 25u /* pin.vl at the highest PIN_LEVEL */

#ifdef __cplusplus
}
#endif

#endif

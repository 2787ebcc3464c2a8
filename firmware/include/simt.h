/* SPDX-License-Identifier: MIT */
/*
 * What a kernel can say beyond C: indices, barriers, votes, shuffles, atomics, fences (docs/isa.md).
 *
 * A kernel is a C function that takes one pointer, its argument block in the constant window (heddle_args.h), and
 * returns nothing. Its name is what hd_kernel_named finds:
 *
 *     SIMT_KERNEL(vecadd, const vecadd_args *args)
 *     {
 *         uint32_t i = simt_global_index();
 *
 * A return ends the thread. Kernels use no libc; C function calls, stack frames and floats are fine.
 *
 * Convergent operations (barrier, warp_sync, votes, shuffles) are macros: each use is one site in the source, recorded
 * in the section .heddle.convergent (simt_site) so that a copy made by the compiler can be told from a second use.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdint.h>

#include "heddle_args.h"
#include "simt_print.h"
#include "simt_special.h"

#define SIMT_INLINE static inline __attribute__((always_inline, unused))
#define SIMT_KERNEL(name, ...)                                                                                         \
    HD_ARGUMENT_RECORD(heddle_kernel_##name, HD_ARGUMENT_KERNEL, #name "\0" #__VA_ARGS__);                             \
    void name(__VA_ARGS__);                                                                                            \
    __attribute__((used, noinline, noclone)) void name(__VA_ARGS__)

/* The block's scratchpad: as many bytes as the launch asked for, all zero when the block starts. */
extern uint32_t simt_scratchpad[];

/* One record of .heddle.convergent per convergent instruction in the code. */
struct simt_site {
    uint32_t pc;   /* of the instruction */
    uint32_t site; /* its use in the source; two records with one site are a copy by the compiler, or by inlining */
};

/* ---- Who am I ---------------------------------------------------------------------------------------------------- */

#define SIMT_READ_CSR(name, number)                                                                                    \
    SIMT_INLINE uint32_t name(void)                                                                                    \
    {                                                                                                                  \
        uint32_t value;                                                                                                \
        __asm__("csrr %0, " #number : "=r"(value));                                                                    \
        return value;                                                                                                  \
    }

SIMT_READ_CSR(simt_thread_x, 0xCC0) /* index in the block */
SIMT_READ_CSR(simt_thread_y, 0xCC1)
SIMT_READ_CSR(simt_thread_z, 0xCC2)
SIMT_READ_CSR(simt_block_x, 0xCC3) /* index in the grid */
SIMT_READ_CSR(simt_block_y, 0xCC4)
SIMT_READ_CSR(simt_block_z, 0xCC5)
SIMT_READ_CSR(simt_block_size_x, 0xCC6) /* threads */
SIMT_READ_CSR(simt_block_size_y, 0xCC7)
SIMT_READ_CSR(simt_block_size_z, 0xCC8)
SIMT_READ_CSR(simt_grid_size_x, 0xCC9) /* blocks */
SIMT_READ_CSR(simt_grid_size_y, 0xCCA)
SIMT_READ_CSR(simt_grid_size_z, 0xCCB)
SIMT_READ_CSR(simt_lane, 0xCCC)
SIMT_READ_CSR(simt_warp, 0xCCD) /* in the block */
SIMT_READ_CSR(simt_core, 0xCCE)

/* One-dimensional grids: index of this thread, and how many there are. */
SIMT_INLINE uint32_t simt_global_index(void)
{
    return simt_block_x() * simt_block_size_x() + simt_thread_x();
}

SIMT_INLINE uint32_t simt_global_size(void)
{
    return simt_grid_size_x() * simt_block_size_x();
}

/* Low words of the standard counters: core cycles, instructions of this thread. Read afresh each time. */
SIMT_INLINE uint32_t simt_cycle(void)
{
    uint32_t value;
    __asm__ volatile("csrr %0, cycle" : "=r"(value));
    return value;
}

SIMT_INLINE uint32_t simt_instret(void)
{
    uint32_t value;
    __asm__ volatile("csrr %0, instret" : "=r"(value));
    return value;
}

/* ---- Convergent operations --------------------------------------------------------------------------------------- */

/* gcc weighs inline assembly by its lines. With these it never pays to copy one: not in front of a loop whose condition it is,
 * nor for each iteration of a short loop. */
#define SIMT_NO_COPY "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"

/* A helper that is inlined in both arms of a branch has the same text in both: LLVM would merge what they begin with. */
#ifdef __clang__
#define SIMT_NO_MERGE __attribute__((nomerge))
#else
#define SIMT_NO_MERGE
#endif

#define SIMT_RECORD_SITE "\n\t.pushsection .heddle.convergent\n\t.word 0b, %[site]\n\t.popsection" SIMT_NO_COPY

#define SIMT_CONVERGENT_I(funct3, immediate)                                                                           \
    __asm__ volatile("0:\t.insn i 0x0B, %[f3], x0, x0, %[imm]" SIMT_RECORD_SITE                                        \
                     :                                                                                                 \
                     : [f3] "i"(funct3), [imm] "i"(immediate), [site] "i"(__COUNTER__)                                 \
                     : "memory")

#define SIMT_CONVERGENT_R(funct7, a, b)                                                                                \
    __extension__({                                                                                                    \
        uint32_t simt_result;                                                                                          \
        __asm__ volatile(                                                                                              \
            "0:\t.insn r 0x0B, 4, %[f7], %[rd], %[rs1], %z[rs2]" SIMT_RECORD_SITE                                      \
            : [rd] "=r"(simt_result)                                                                                   \
            : [f7] "i"(funct7), [rs1] "r"((uint32_t)(a)), [rs2] "rJ"((uint32_t)(b)), [site] "i"(__COUNTER__));         \
        simt_result;                                                                                                   \
    })

/* All threads of the block arrive before any goes on. What was stored to the scratchpad before is seen after; for
 * global memory, simt_fence first. number: 0..2047. */
#define simt_barrier_number(number) SIMT_CONVERGENT_I(3, number)
#define simt_barrier() simt_barrier_number(0)

/* Waits for all live lanes of the warp. */
#define simt_warp_sync() SIMT_CONVERGENT_I(5, 0)

/* Over the lanes that execute it together: is the value non-zero in any, in all; in which (lanes 0-31, 32-63)? */
#define simt_vote_any(value) SIMT_CONVERGENT_R(0, value, 0)
#define simt_vote_all(value) SIMT_CONVERGENT_R(1, value, 0)
#define simt_ballot_low(value) SIMT_CONVERGENT_R(2, value, 0)
#define simt_ballot_high(value) SIMT_CONVERGENT_R(3, value, 0)

/* The value of another lane: lane `lane`, own lane - distance, own lane + distance, own lane ^ mask. Own value where
 * that lane does not take part. */
#define simt_shuffle(value, lane) SIMT_CONVERGENT_R(4, value, lane)
#define simt_shuffle_up(value, distance) SIMT_CONVERGENT_R(5, value, distance)
#define simt_shuffle_down(value, distance) SIMT_CONVERGENT_R(6, value, distance)
#define simt_shuffle_xor(value, mask) SIMT_CONVERGENT_R(7, value, mask)

/* ---- Atomics: one word, global or scratchpad; relaxed order (fences order), each returns the word before --------- */

SIMT_INLINE uint32_t simt_atomic_swap(volatile uint32_t *word, uint32_t value)
{
    return __atomic_exchange_n(word, value, __ATOMIC_RELAXED);
}

SIMT_INLINE uint32_t simt_atomic_add(volatile uint32_t *word, uint32_t value)
{
    return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

SIMT_INLINE uint32_t simt_atomic_and(volatile uint32_t *word, uint32_t value)
{
    return __atomic_fetch_and(word, value, __ATOMIC_RELAXED);
}

SIMT_INLINE uint32_t simt_atomic_or(volatile uint32_t *word, uint32_t value)
{
    return __atomic_fetch_or(word, value, __ATOMIC_RELAXED);
}

SIMT_INLINE uint32_t simt_atomic_xor(volatile uint32_t *word, uint32_t value)
{
    return __atomic_fetch_xor(word, value, __ATOMIC_RELAXED);
}

#define SIMT_ATOMIC_MINMAX(name, type, mnemonic)                                                                       \
    SIMT_INLINE type name(volatile type *word, type value)                                                             \
    {                                                                                                                  \
        type before;                                                                                                   \
        __asm__ volatile(mnemonic " %0, %2, %1" : "=r"(before), "+A"(*word) : "r"(value) : "memory");                  \
        return before;                                                                                                 \
    }

SIMT_ATOMIC_MINMAX(simt_atomic_min, int32_t, "amomin.w")
SIMT_ATOMIC_MINMAX(simt_atomic_max, int32_t, "amomax.w")
SIMT_ATOMIC_MINMAX(simt_atomic_minu, uint32_t, "amominu.w")
SIMT_ATOMIC_MINMAX(simt_atomic_maxu, uint32_t, "amomaxu.w")

/* Writes desired if the word is expected: one amocas.w, not gcc's lr/sc loop. Successful if it returns expected. */
SIMT_INLINE uint32_t simt_atomic_cas(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
    __asm__ volatile(".insn r 0x2F, 2, 0x14, %0, %1, %2" : "+&r"(expected) : "r"(word), "r"(desired) : "memory");
    return expected;
}

/* ---- Order, and loads that see the others ------------------------------------------------------------------------ */

/* This thread's earlier loads are done and its earlier stores visible to everybody; later loads see what is visible. */
SIMT_INLINE void simt_fence(void)
{
    __asm__ volatile("fence rw, rw" ::: "memory");
}

/* Load past the L1: the value at the word's memory partition. Spin on this, not on a volatile. */
SIMT_INLINE uint32_t simt_load_cg(const volatile uint32_t *word)
{
    uint32_t value;
    __asm__ volatile(".insn i 0x2B, 2, %0, 0(%1)" : "=r"(value) : "r"(word) : "memory");
    return value;
}

/*
 * Loads of what nobody writes while the grid runs, through the texture cache of the core where the machine has one; else plain
 * loads. They may give what was there when the grid began, whatever has been stored since, by this thread too, and whatever fences say.
 */
SIMT_INLINE uint32_t simt_load_texture(const uint32_t *word)
{
    uint32_t value;
    __asm__ volatile(".insn i 0x2B, 3, %0, %1" : "=r"(value) : "m"(*word));
    return value;
}

SIMT_INLINE float simt_load_texture_float(const float *word)
{
    float value;
    __asm__ volatile(".insn i 0x2B, 4, %0, %1" : "=f"(value) : "m"(*word));
    return value;
}

/* A plain load, of a word that others may be writing and that may be old. It is what a volatile load is, but says that this is
 * meant: `heddle run --check-races` calls it no race. It orders nothing. */
SIMT_INLINE uint32_t simt_load_relaxed(const volatile uint32_t *word)
{
    uint32_t value;
    __asm__ volatile("0:\tlw %0, %1\n\t.pushsection .heddle.relaxed\n\t.word 0b\n\t.popsection"
                     : "=r"(value)
                     : "m"(*word));
    return value;
}

/* The access at label 0 takes a lock, or frees it, for those who count how often that succeeds (docs/spin.md): a word of the section
 * .heddle.lock_accesses. No instruction, and to gcc no longer than without. */
#define SIMT_LOCK_ACCESS __asm__ __inline__ volatile
#define SIMT_LOCK_ACCESS_RECORD "\n\t.pushsection .heddle.lock_accesses\n\t.word 0b\n\t.popsection"

/* As simt_atomic_cas, of a word in which a lock is: it is taken if the word is expected. */
SIMT_INLINE uint32_t simt_lock_cas(volatile uint32_t *word, uint32_t expected, uint32_t desired)
{
    SIMT_LOCK_ACCESS("0:\t.insn r 0x2F, 2, 0x14, %0, %1, %2" SIMT_LOCK_ACCESS_RECORD
                     : "+&r"(expected)
                     : "r"(word), "r"(desired)
                     : "memory");
    return expected;
}

/* As simt_atomic_swap, of a word in which a lock is: 0 frees it. */
SIMT_INLINE uint32_t simt_lock_swap(volatile uint32_t *word, uint32_t value)
{
    SIMT_LOCK_ACCESS("0:\tamoswap.w %0, %0, %1" SIMT_LOCK_ACCESS_RECORD : "+r"(value), "+A"(*word) : : "memory");
    return value;
}

/* As a store through a pointer to volatile, by which a lock is freed. Fence before. */
SIMT_INLINE void simt_lock_store(volatile uint32_t *word, uint32_t value)
{
    SIMT_LOCK_ACCESS("0:\tsw %1, %0" SIMT_LOCK_ACCESS_RECORD : "=m"(*word) : "r"(value));
}

/* A lock word is 0, without a fence. */
SIMT_INLINE void simt_lock_clear(volatile uint32_t *lock)
{
    SIMT_LOCK_ACCESS("0:\tamoswap.w zero, zero, %0" SIMT_LOCK_ACCESS_RECORD /* no result: nothing to wait for */
                     : "+A"(*lock)
                     :
                     : "memory");
}

/*
 * A lock word: 0 free, 1 taken. Fence after simt_try_lock has succeeded; simt_unlock fences. On a SIMT stack the holder must
 * reach simt_unlock without leaving the retry loop (apps/spinlock does not), and the loop's flag must be one that gcc cannot
 * see through:
 *
 *     uint32_t done = 0;
 *     while (!simt_opaque(done)) {
 *         if (simt_try_lock(lock)) {
 *             simt_fence();
 *             ...
 *             simt_unlock(lock);
 *             done = 1;
 *         }
 *     }
 */
SIMT_INLINE uint32_t simt_try_lock(volatile uint32_t *lock)
{
    return simt_lock_cas(lock, 0, 1) == 0;
}

SIMT_INLINE void simt_unlock(volatile uint32_t *lock)
{
    simt_fence();
    simt_lock_clear(lock);
}

/*
 * The value of a variable, which stays in its register; but gcc forgets all that it knows of it. Thus it can neither tell that a
 * flag has just been set, nor move what stands before the test behind the loop. It is no instruction, and orders no memory
 * (simt_fence does). Each use stays one place in the code, where lanes with either value meet.
 */
#define simt_opaque(variable)                                                                                          \
    __extension__({                                                                                                    \
        __asm__ volatile(SIMT_OWN_TEXT SIMT_NO_COPY : "+r"(variable) : SIMT_OWN);                                      \
        (variable);                                                                                                    \
    })

/* ---- Hints and marks: no effect on the program ------------------------------------------------------------------- */

/* The next backward branch is one of a busy-wait loop. */
SIMT_INLINE void simt_spin_hint(void)
{
    __asm__ volatile(".insn i 0x0B, 5, x0, x0, -2048");
}

/* A mark in the trace; number 0..2047, a constant. */
#define simt_trace_mark(number) __asm__ volatile(".insn i 0x0B, 7, x0, x0, %0" SIMT_OWN_TEXT : : "i"(number), SIMT_OWN)

/* ---- Small arithmetic without branches, multiplication or division ---------------------------------------------- */

SIMT_INLINE uint32_t simt_min(uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & -(uint32_t)(a < b));
}

SIMT_INLINE uint32_t simt_max(uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & -(uint32_t)(a > b));
}

/* 0 < distance < 32 */
SIMT_INLINE uint32_t simt_rotate_left(uint32_t value, uint32_t distance)
{
    return value << distance | value >> (32 - distance);
}

SIMT_INLINE uint32_t simt_count_ones(uint32_t value)
{
    value -= value >> 1 & 0x55555555;
    value = (value & 0x33333333) + (value >> 2 & 0x33333333);
    value = (value + (value >> 4)) & 0x0F0F0F0F;
    value += value >> 8;
    return (value + (value >> 16)) & 0x3F;
}

#endif

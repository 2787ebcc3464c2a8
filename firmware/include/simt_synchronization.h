/* SPDX-License-Identifier: MIT */
/*
 * What a kernel can say of how its threads wait for each other, for those who look for deadlocks in it (docs/simt-deadlock.md). It
 * changes nothing in the code: records of the section .heddle.synchronization (models/isa/deadlock/synchronization.h). What is
 * said has to be true; nobody checks it.
 */
#ifndef SIMT_SYNCHRONIZATION_H
#define SIMT_SYNCHRONIZATION_H

#include <stdint.h>

#define SIMT_SYNCHRONIZATION_RECORD(pc, kind, more)                                                                    \
    "\n\t.pushsection .heddle.synchronization\n\t.word " pc ", " kind more "\n\t.balign 4\n\t.popsection"

/* Stand behind the function, outside of it. */

/* Its lanes rely on meeting again where the code says: nothing is found in it, and nothing may be moved. */
#define SIMT_NO_TRANSFORM(function) __asm__(SIMT_SYNCHRONIZATION_RECORD(#function, "1", ""))

/* No two pointers among its arguments lead to one word. */
#define SIMT_NO_ALIAS(function) __asm__(SIMT_SYNCHRONIZATION_RECORD(#function, "2", ""))

/*
 * Accesses to a lock that has a name, a string of up to 63 characters: all that ever access it do so by these, with the same name. Then
 * nobody takes another access for one to the lock.
 */
#define SIMT_LOCK_RECORD(name) SIMT_SYNCHRONIZATION_RECORD("0b", "4", "\n\t.asciz \"" name "\"")

/* As simt_try_lock: 1 if it has been free, and is now taken. */
#define simt_try_lock_named(lock, name)                                                                                \
    __extension__({                                                                                                    \
        uint32_t simt_before = 0;                                                                                      \
        __asm__ volatile("0:\t.insn r 0x2F, 2, 0x14, %0, %1, %2" SIMT_LOCK_RECORD(name)                                \
                         : "+&r"(simt_before)                                                                          \
                         : "r"(lock), "r"(1)                                                                           \
                         : "memory");                                                                                  \
        simt_before == 0;                                                                                              \
    })

/* As simt_unlock: fence, then the lock is free. */
#define simt_unlock_named(lock, name)                                                                                  \
    __asm__ volatile("fence rw, rw\n0:\tamoswap.w zero, zero, (%0)" SIMT_LOCK_RECORD(name) : : "r"(lock) : "memory")

/* The word of the lock, past the L1. */
#define simt_load_named(lock, name)                                                                                    \
    __extension__({                                                                                                    \
        uint32_t simt_word;                                                                                            \
        __asm__ volatile("0:\t.insn i 0x2B, 2, %0, 0(%1)" SIMT_LOCK_RECORD(name)                                       \
                         : "=r"(simt_word)                                                                             \
                         : "r"(lock)                                                                                   \
                         : "memory");                                                                                  \
        simt_word;                                                                                                     \
    })

#endif

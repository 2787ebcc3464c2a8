/* SPDX-License-Identifier: MIT */
/* Kernels of two names: in those that begin with said_ nothing is found, as they say why; the others are the same code. */
#include "simt.h"
#include "simt_synchronization.h"

typedef struct said_args {
    hd_device_ptr word;
    hd_device_ptr more;
    hd_device_ptr out;
    uint32_t n;
} said_args;

#define WORD HD_POINTER(volatile uint32_t, args->word)
#define MORE HD_POINTER(volatile uint32_t, args->more)
#define OUT HD_POINTER(uint32_t, args->out)

/* A histogram whose lanes see each other's stores of the same turn. */
#define COUNT_TWICE                                                                                                    \
    for (uint32_t turn = 0; turn < 2; turn++) {                                                                        \
        volatile uint32_t *word = &WORD[MORE[turn]];                                                                   \
        uint32_t count;                                                                                                \
        do {                                                                                                           \
            count = simt_thread_x() << 27 | ((*word & 0x07FFFFFF) + 1);                                                \
            *word = count;                                                                                             \
        } while (*word != count);                                                                                      \
    }

SIMT_KERNEL(unsaid_warp_synchronous, const said_args *args)
{
    COUNT_TWICE;
}

SIMT_KERNEL(said_warp_synchronous, const said_args *args)
{
    COUNT_TWICE;
}
SIMT_NO_TRANSFORM(said_warp_synchronous);

#define SUM_UP_TO_A_BOUND                                                                                              \
    uint32_t sum = 0;                                                                                                  \
    for (uint32_t i = 0; i < MORE[simt_global_index()]; i++)                                                           \
        sum += i * i;                                                                                                  \
    OUT[simt_global_index()] = sum

SIMT_KERNEL(unsaid_bound, const said_args *args)
{
    SUM_UP_TO_A_BOUND;
}

SIMT_KERNEL(said_bound, const said_args *args)
{
    SUM_UP_TO_A_BOUND;
}
SIMT_NO_ALIAS(said_bound);

SIMT_KERNEL(unsaid_flag, const said_args *args)
{
    while (!simt_load_cg(WORD))
        ;
    OUT[simt_global_index()] = 1;
}

SIMT_KERNEL(said_flag, const said_args *args)
{
    while (!simt_load_named(WORD, "flag"))
        ;
    OUT[simt_global_index()] = 1;
}

/* The inner lock is not the outer one. */
SIMT_KERNEL(unsaid_two_locks, const said_args *args)
{
    while (!simt_try_lock_named(WORD, "outer"))
        ;
    *OUT += 1;
    simt_unlock_named(WORD, "outer");
}

SIMT_KERNEL(said_two_locks, const said_args *args)
{
    uint32_t done = 0;
    while (!simt_opaque(done)) {
        if (simt_try_lock_named(WORD, "inner")) {
            *OUT += 1;
            simt_unlock_named(WORD, "inner");
            done = 1;
        }
    }
    simt_unlock_named(MORE, "outer");
}

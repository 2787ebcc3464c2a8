/* SPDX-License-Identifier: MIT */
/* One block fills an array, asks somebody outside of the cores to work on it, waits, and looks at the result. */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(mailbox, const mailbox_args *args)
{
    volatile uint32_t *mailbox = HD_POINTER(volatile uint32_t, args->mailbox);
    volatile uint32_t *source = HD_POINTER(volatile uint32_t, args->source);
    const volatile uint32_t *result = HD_POINTER(const volatile uint32_t, args->result);
    uint32_t wrong = 0;

    for (uint32_t i = simt_thread_x(); i < args->count; i += simt_block_size_x())
        source[i] = args->first + i;
    simt_fence();
    simt_barrier();
    if (simt_thread_x() == 0) {
        mailbox[MAILBOX_SOURCE] = args->source.address;
        mailbox[MAILBOX_COUNT] = args->count;
        mailbox[MAILBOX_RESULT] = args->result.address;
        simt_fence();
        mailbox[MAILBOX_STATE] = 1;
        while (simt_load_cg(&mailbox[MAILBOX_STATE]) != 2)
            ;
    }
    simt_barrier();
    for (uint32_t i = simt_thread_x(); i < args->count; i += simt_block_size_x())
        wrong += simt_load_cg(&result[i]) != 3 * (args->first + i);
    if (wrong)
        simt_atomic_add(HD_POINTER(volatile uint32_t, args->wrong), wrong);
}

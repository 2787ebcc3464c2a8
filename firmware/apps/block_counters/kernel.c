/* SPDX-License-Identifier: MIT */
/* An update is a counter and what is added to it: Villegas et al., GPU-LocalTM, §5, "IT". */
#include "args.h"
#include "common/in_scratchpad.h"

typedef void run(const block_counters_args *args, volatile uint32_t *counter, uint32_t value);

SIMT_INLINE void update(volatile uint32_t *counter, uint32_t value)
{
    *counter = *counter + value;
}

SIMT_INLINE void run_tm(const block_counters_args *args, volatile uint32_t *counter, uint32_t value)
{
    (void)args;
    IN_SCRATCHPAD_TM(update(counter, value));
}

SIMT_INLINE void run_locks(const block_counters_args *args, volatile uint32_t *counter, uint32_t value)
{
    IN_SCRATCHPAD_LOCKED(counter + args->counters, update(counter, value));
}

SIMT_INLINE void run_atomics(const block_counters_args *args, volatile uint32_t *counter, uint32_t value)
{
    (void)args;
    simt_atomic_add(counter, value);
}

SIMT_INLINE void run_serial(const block_counters_args *args, volatile uint32_t *counter, uint32_t value)
{
    (void)args;
    update(counter, value);
}

SIMT_INLINE void run_update(const block_counters_args *args, uint32_t i, run *run)
{
    const uint32_t at = simt_block_x() * args->updates + i;
    const uint32_t index = HD_POINTER(const uint32_t, args->indices)[at];
    run(args, &simt_scratchpad[index], HD_POINTER(const uint32_t, args->values)[at]);
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_counters_##form, const block_counters_args *args)                                                \
    {                                                                                                                  \
        DEAL(i, args->updates, run_update(args, i, run_##form));                                                       \
        in_scratchpad_copy_out(args->results, args->counters);                                                         \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(atomics, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)

/* SPDX-License-Identifier: MIT */
/* Operations that meet nearly always: Villegas et al., GPU-LocalTM, §5, "DB". */
#include "args.h"
#include "common/in_scratchpad.h"
#include "common/packed.h"

typedef struct operation {
    uint32_t low, high; /* records */
    uint32_t value;
    uint32_t is_odd; /* records 1 and 3 are updated, and not 0 and 2 */
    uint32_t sum;
} operation;

typedef void run(const block_database_args *args, operation *o);

/* Worked out anew each time: registers do not suffice to keep all of them. */
SIMT_INLINE volatile uint32_t *record_of(operation *o, uint32_t i)
{
    return &simt_scratchpad[packed_half(i < 2 ? simt_opaque(o->low) : simt_opaque(o->high), i & 1)];
}

SIMT_INLINE void read_and_update(operation *o)
{
    const uint32_t r0 = *record_of(o, 0), r1 = *record_of(o, 1), r2 = *record_of(o, 2), r3 = *record_of(o, 3);
    o->sum = r0 + r1 + r2 + r3;
    *record_of(o, o->is_odd) = (o->is_odd ? r1 : r0) + o->value;
    *record_of(o, 2 + o->is_odd) = (o->is_odd ? r3 : r2) + o->value;
}

SIMT_INLINE void run_tm(const block_database_args *args, operation *o)
{
    (void)args;
    IN_SCRATCHPAD_TM(read_and_update(o));
}

SIMT_INLINE void run_locks(const block_database_args *args, operation *o)
{
    IN_SCRATCHPAD_LOCKED_ALL(i, RECORDS_READ, record_of(o, i) + args->records, read_and_update(o));
}

SIMT_INLINE void run_serial(const block_database_args *args, operation *o)
{
    (void)args;
    read_and_update(o);
}

SIMT_INLINE void run_operation(const block_database_args *args, uint32_t i, run *run)
{
    const uint32_t update = in_scratchpad_item_word(args->operations, OPERATION_UPDATE, args->operation_count, i);
    operation o = {.low = in_scratchpad_item_word(args->operations, OPERATION_LOW, args->operation_count, i),
                   .high = in_scratchpad_item_word(args->operations, OPERATION_HIGH, args->operation_count, i),
                   .value = update & ((1u << VALUE_BITS) - 1),
                   .is_odd = update >> VALUE_BITS};
    run(args, &o);
    HD_POINTER(uint32_t, args->sums)[simt_block_x() * args->operation_count + i] = o.sum;
}

#define KERNEL(form, DEAL)                                                                                             \
    SIMT_KERNEL(block_database_##form, const block_database_args *args)                                                \
    {                                                                                                                  \
        DEAL(i, args->operation_count, run_operation(args, i, run_##form));                                            \
        in_scratchpad_copy_out(args->results, args->records);                                                          \
    }

KERNEL(tm, IN_SCRATCHPAD_PARALLEL)
KERNEL(locks, IN_SCRATCHPAD_PARALLEL)
KERNEL(serial, IN_SCRATCHPAD_SERIAL)

/* SPDX-License-Identifier: MIT */
/*
 * A payment moves money between two accounts by a transaction on global memory, which leaves a receipt; what is on the receipt then goes
 * into a till by a transaction on the scratchpad. So both kinds take turns in a thread, and the second sees what the first has committed.
 */
#include "args.h"
#include "common/in_scratchpad.h"

SIMT_INLINE void transfer(const tills_args *args, const tills_payment *payment, volatile int32_t *receipt)
{
    volatile int32_t *balances = HD_POINTER(volatile int32_t, args->balances);
    tm_begin();
    balances[payment->from] -= payment->amount;
    balances[payment->to] += payment->amount;
    *receipt = payment->amount;
    tm_commit();
}

SIMT_INLINE void pay(const tills_args *args, uint32_t i)
{
    const uint32_t thread = simt_block_x() * simt_block_size_x() + simt_thread_x();
    const tills_payment payment = HD_POINTER(const tills_payment, args->payments)[simt_block_x() * args->count + i];
    volatile int32_t *receipt = &HD_POINTER(volatile int32_t, args->receipts)[thread];
    volatile uint32_t *till = &simt_scratchpad[payment.till];
    transfer(args, &payment, receipt);
    IN_SCRATCHPAD_TM(*till = *till + (uint32_t)*receipt);
}

SIMT_KERNEL(tills, const tills_args *args)
{
    IN_SCRATCHPAD_PARALLEL(i, args->count, pay(args, i));
    in_scratchpad_copy_out(args->results, args->tills);
}

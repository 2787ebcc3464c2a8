/* SPDX-License-Identifier: MIT */
/* Transfers between accounts, a lock each, the outer one given back when the inner is taken: ElTantawy 2018, Figure 6.5a. */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(atm, const atm_args *args)
{
    const atm_transfer *transfers = HD_POINTER(const atm_transfer, args->transfers);
    volatile int32_t *balances = HD_POINTER(volatile int32_t, args->balances);
    volatile uint32_t *locks = HD_POINTER(volatile uint32_t, args->locks);
    uint32_t count = args->count;
    uint32_t threads = simt_global_size();

    for (uint32_t i = simt_global_index(); i < count; i += threads) {
        uint32_t from = transfers[i].from;
        uint32_t to = transfers[i].to;
        int32_t amount = (int32_t)transfers[i].amount;
        /* In the order of account numbers: two lanes in lockstep that each hold what the other wants would back out and
         * try again for ever. */
        volatile uint32_t *outer = &locks[simt_min(from, to)];
        volatile uint32_t *inner = &locks[simt_max(from, to)];

        uint32_t done = 0; /* opaque: as in hashtable, the releases must stay inside the loop */
        while (!simt_opaque(done)) {
            if (simt_try_lock(outer)) {
                if (simt_try_lock(inner)) {
                    simt_fence();
                    balances[from] -= amount;
                    balances[to] += amount;
                    simt_unlock(inner);
                    done = 1;
                }
                simt_unlock(outer);
            }
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* Transfers between accounts, each a transaction: three words read, two written. Fung 2015 §4.3. */
#include "atm/args.h"
#include "simt.h"
#include "tm.h"

SIMT_KERNEL(atm_tm, const atm_args *args)
{
    const atm_transfer *transfers = HD_POINTER(const atm_transfer, args->transfers);
    int32_t *balances = HD_POINTER(int32_t, args->balances);
    uint32_t count = args->count;
    uint32_t threads = simt_global_size();

    for (uint32_t i = simt_global_index(); i < count; i += threads) {
        int32_t *from = &balances[transfers[i].from];
        int32_t *to = &balances[transfers[i].to];

        tm_begin();
        int32_t amount = (int32_t)transfers[i].amount;
        *from -= amount;
        *to += amount;
        tm_commit();
    }
}

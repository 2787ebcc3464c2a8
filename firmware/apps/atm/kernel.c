/* SPDX-License-Identifier: MIT */
/*
 * Transfers between accounts, by a lock each, the outer one given back when the inner is taken (ElTantawy 2018, Figure 6.5a), or by
 * transactions that read three words and write two (Fung 2015 §4.3). Each form of synchronisation is a kernel, for each layout.
 */
#include "args.h"
#include "common/atomically.h"
#include "simt_synchronization.h"

/* The arguments, in registers. */
typedef struct bank {
    const atm_transfer *transfers;
    int32_t *balances;
    volatile uint32_t *locks;
    uint32_t count;
    uint32_t balance_words; /* from one to the next */
} bank;

SIMT_INLINE bank bank_of(const atm_args *args, uint32_t balance_words)
{
    return (bank){.transfers = HD_POINTER(const atm_transfer, args->transfers),
                  .balances = HD_POINTER(int32_t, args->balances),
                  .locks = HD_POINTER(volatile uint32_t, args->locks),
                  .count = args->count,
                  .balance_words = balance_words};
}

SIMT_INLINE volatile int32_t *balance_of(const bank *b, uint32_t account)
{
    return &b->balances[account * b->balance_words];
}

SIMT_INLINE void carry_out(const bank *b, const atm_transfer *transfer)
{
    *balance_of(b, transfer->from) -= transfer->amount;
    *balance_of(b, transfer->to) += transfer->amount;
}

/* ---- Forms of synchronisation ----------------------------------------------------------------------------------------- */

/* In the order of account numbers. */
SIMT_INLINE void transfer_locks(const bank *b, uint32_t i)
{
    atm_transfer transfer = b->transfers[i];
    volatile uint32_t *outer = &b->locks[simt_min(transfer.from, transfer.to)];
    volatile uint32_t *inner = &b->locks[simt_max(transfer.from, transfer.to)];
    ATOMICALLY_LOCKED_BOTH(outer, inner, carry_out(b, &transfer));
}

SIMT_INLINE void transfer_coarse(const bank *b, uint32_t i)
{
    atm_transfer transfer = b->transfers[i];
    ATOMICALLY_LOCKED(b->locks, carry_out(b, &transfer));
}

SIMT_INLINE void transfer_serial(const bank *b, uint32_t i)
{
    atm_transfer transfer = b->transfers[i];
    ATOMICALLY_ALONE(carry_out(b, &transfer));
}

SIMT_INLINE void move(int32_t *from, int32_t *to, int32_t amount)
{
    *from -= amount;
    *to += amount;
}

/* Which accounts is read before; how much is the third word of the transaction. */
SIMT_INLINE void transfer_tm(const bank *b, uint32_t i)
{
    int32_t *from = &b->balances[b->transfers[i].from * b->balance_words];
    int32_t *to = &b->balances[b->transfers[i].to * b->balance_words];
    ATOMICALLY_TM(move(from, to, (int32_t)b->transfers[i].amount));
}

#define KERNEL(name, transfer, balance_words)                                                                          \
    SIMT_KERNEL(name, const atm_args *args)                                                                            \
    {                                                                                                                  \
        const bank b = bank_of(args, balance_words);                                                                   \
        const uint32_t threads = simt_global_size();                                                                   \
        for (uint32_t i = simt_global_index(); i < b.count; i += threads)                                              \
            transfer(&b, i);                                                                                           \
    }                                                                                                                  \
    SIMT_NO_ALIAS(name);

#define KERNELS(form)                                                                                                  \
    KERNEL(atm_##form, transfer_##form, ATM_PACKED)                                                                    \
    KERNEL(atm_##form##_padded, transfer_##form, ATM_PADDED)

KERNELS(locks)
KERNELS(tm)
KERNELS(coarse)
KERNELS(serial)

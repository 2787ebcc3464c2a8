/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#ifndef ATM_KERNEL /* atm_tm has another one */
#define ATM_KERNEL "atm"
#endif

#define OPENING_BALANCE 1000

static void draw_transfers(atm_transfer *transfers, uint32_t count, uint32_t accounts, uint64_t *random)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = host_random_below(random, accounts);
        uint32_t distance = 1 + host_random_below(random, accounts - 1);
        uint32_t amount = 1 + host_random_below(random, 100);
        transfers[i] = (atm_transfer){.from = from, .to = (from + distance) % accounts, .amount = amount};
    }
}

static void check_balances(const int32_t *got, const int32_t *expected, uint32_t accounts)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < accounts; i++) {
        hd_check(got[i] == expected[i], "balance[%u] is %d, expected %d", i, got[i], expected[i]);
        total += got[i];
    }
    int64_t opening = (int64_t)accounts * OPENING_BALANCE;
    hd_check(total == opening, "the total balance is %lld, expected %lld", (long long)total, (long long)opening);
    hd_report("total_balance", (uint64_t)total);
}

int hd_app_main(void)
{
    uint32_t accounts = host_option("accounts", 1000000, 2, 1u << 26);
    uint32_t count = host_option("transfers", 122880, 1, 1u << 24);
    uint32_t block = host_option("block", 192, 1, 1024);
    uint32_t grid = host_option("grid", 120, 1, 1u << 20);
    uint64_t random = hd_option("seed", 1);

    size_t account_bytes = accounts * sizeof(uint32_t);
    atm_transfer *transfers = hd_host_alloc(count * sizeof(atm_transfer));
    int32_t *balances = hd_host_alloc(account_bytes);
    draw_transfers(transfers, count, accounts, &random);
    for (uint32_t i = 0; i < accounts; i++)
        balances[i] = OPENING_BALANCE;

    atm_args args = {.transfers = host_upload(transfers, count * sizeof(atm_transfer)),
                     .balances = host_upload(balances, account_bytes),
                     .locks = host_filled(0, account_bytes),
                     .count = count};
    host_launch(ATM_KERNEL, hd_1d(grid), hd_1d(block), 0, &args, sizeof args);

    for (uint32_t i = 0; i < count; i++) {
        balances[transfers[i].from] -= (int32_t)transfers[i].amount;
        balances[transfers[i].to] += (int32_t)transfers[i].amount;
    }
    int32_t *result = hd_host_alloc(account_bytes);
    uint32_t *locks = hd_host_alloc(account_bytes);
    hd_copy_from_device(result, args.balances, account_bytes);
    hd_copy_from_device(locks, args.locks, account_bytes);
    for (uint32_t i = 0; i < accounts; i++)
        host_check_word("locks", i, locks[i], 0);
    check_balances(result, balances, accounts);
    hd_report("transfers", count);
    return HD_PASS;
}

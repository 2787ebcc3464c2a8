/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/transactional.h"

#define OPENING_BALANCE 1000

static const char *const kernels[][2] = {[HOST_TM] = {"atm_tm", "atm_tm_padded"},
                                         [HOST_LOCKS] = {"atm_locks", "atm_locks_padded"},
                                         [HOST_COARSE] = {"atm_coarse", "atm_coarse_padded"},
                                         [HOST_SERIAL] = {"atm_serial", "atm_serial_padded"}};

static void draw_transfers(atm_transfer *transfers, uint32_t count, uint32_t accounts, uint64_t *random)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = host_random_below(random, accounts);
        uint32_t distance = 1 + host_random_below(random, accounts - 1);
        uint32_t amount = 1 + host_random_below(random, 100);
        transfers[i] = (atm_transfer){.from = from, .to = (from + distance) % accounts, .amount = amount};
    }
}

/* Each so many words behind the one before; what is between them is zero. */
static void upload_balances(const int32_t *balances, uint32_t accounts, uint32_t words, hd_device_ptr pointer)
{
    const size_t bytes = (size_t)accounts * words * sizeof(int32_t);
    int32_t *image = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < accounts; i++)
        image[(size_t)i * words] = balances[i];
    hd_copy_to_device(pointer, image, bytes);
    hd_host_free(image);
}

static void check_balances(const int32_t *got, uint32_t words, const int32_t *expected, uint32_t accounts)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < accounts; i++) {
        const int32_t balance = got[(size_t)i * words];
        hd_check(balance == expected[i], "balance[%u] is %d, expected %d", i, balance, expected[i]);
        total += balance;
    }
    int64_t opening = (int64_t)accounts * OPENING_BALANCE;
    hd_check(total == opening, "the total balance is %lld, expected %lld", (long long)total, (long long)opening);
    hd_report("total_balance", (uint64_t)total);
}

int hd_app_main(void)
{
    const uint32_t form = host_form(hd_option_text("sync", "locks"));
    const uint32_t is_padded = host_is_padded(hd_option_text("layout", "packed"));
    const uint32_t accounts = host_option("accounts", 1000000, 2, 1u << 26);
    const uint32_t count = host_option("transfers", 122880, 1, 1u << 24);
    const uint32_t block = host_option("block", 192, 1, 1024);
    const uint32_t grid = host_option("grid", 120, 1, 1u << 20);
    uint64_t random = hd_option("seed", 1);

    const uint32_t words = is_padded ? ATM_PADDED : ATM_PACKED;
    const size_t transfer_bytes = count * sizeof(atm_transfer), lock_bytes = accounts * sizeof(uint32_t);
    const size_t balance_bytes = (size_t)accounts * words * sizeof(int32_t);
    atm_args args = {.transfers = hd_malloc(transfer_bytes),
                     .balances = hd_malloc(balance_bytes),
                     .locks = host_filled(0, lock_bytes),
                     .count = count};
    atm_transfer *transfers = hd_host_alloc(transfer_bytes);
    int32_t *balances = hd_host_alloc(accounts * sizeof(int32_t));
    draw_transfers(transfers, count, accounts, &random);
    for (uint32_t i = 0; i < accounts; i++)
        balances[i] = OPENING_BALANCE;
    hd_copy_to_device(args.transfers, transfers, transfer_bytes);
    upload_balances(balances, accounts, words, args.balances);
    host_launch(kernels[form][is_padded], hd_1d(form == HOST_SERIAL ? 1 : grid), hd_1d(form == HOST_SERIAL ? 1 : block),
                0, &args, sizeof args);

    for (uint32_t i = 0; i < count; i++) {
        balances[transfers[i].from] -= (int32_t)transfers[i].amount;
        balances[transfers[i].to] += (int32_t)transfers[i].amount;
    }
    const uint32_t *locks = host_download(args.locks, lock_bytes);
    for (uint32_t i = 0; i < accounts; i++)
        host_check_word("locks", i, locks[i], 0);
    check_balances(host_download(args.balances, balance_bytes), words, balances, accounts);
    hd_report("transfers", count);
    return HD_PASS;
}

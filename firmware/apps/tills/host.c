/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

int hd_app_main(void)
{
    const uint32_t accounts = host_option("accounts", 8192, 2, 1u << 20);
    const uint32_t tills = host_option("tills", 64, 1, TILLS_MAX);
    const uint32_t count = host_option("payments", 256, 1, 1u << 20);
    const form_shape shape = {.grid = host_option("grid", 15, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const size_t payment_bytes = (size_t)shape.grid * count * sizeof(tills_payment);
    const size_t balance_bytes = (size_t)accounts * 4, till_bytes = (size_t)shape.grid * tills * 4;
    tills_payment *payments = hd_host_alloc(payment_bytes);
    uint32_t *balances = hd_host_alloc(balance_bytes), *sums = hd_host_alloc(till_bytes);
    memset(balances, 0, balance_bytes);
    memset(sums, 0, till_bytes);
    const hd_device_ptr device_balances = host_upload(balances, balance_bytes);
    for (uint32_t i = 0; i < shape.grid * count; i++) {
        tills_payment *payment = &payments[i];
        payment->from = host_random_below(&random, accounts);
        payment->to = (payment->from + 1 + host_random_below(&random, accounts - 1)) % accounts;
        payment->till = host_random_below(&random, tills);
        payment->amount = (int32_t)(1 + host_random_below(&random, 1000));
        balances[payment->from] -= (uint32_t)payment->amount;
        balances[payment->to] += (uint32_t)payment->amount;
        sums[i / count * tills + payment->till] += (uint32_t)payment->amount;
    }
    const tills_args args = {.payments = host_upload(payments, payment_bytes),
                             .balances = device_balances,
                             .receipts = host_poisoned((size_t)shape.grid * shape.block * 4),
                             .results = host_poisoned(till_bytes),
                             .tills = tills,
                             .count = count};
    host_launch("tills", hd_1d(shape.grid), hd_1d(shape.block), tills * 4, &args, sizeof args);
    const uint32_t *now = host_download(args.balances, balance_bytes),
                   *results = host_download(args.results, till_bytes);
    for (uint32_t i = 0; i < accounts; i++)
        host_check_word("balance", i, now[i], balances[i]);
    for (uint32_t i = 0; i < shape.grid * tills; i++)
        host_check_word("till", i, results[i], sums[i]);
    return HD_PASS;
}

/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

static void check_plain(const uint32_t *words)
{
    hd_check(words[WATCHED_STORED] == 7, "stored: %u", words[WATCHED_STORED]);
    hd_check(words[WATCHED_COUNTED] == 13 && words[WATCHED_FAR] == 9, "counted: %u", words[WATCHED_COUNTED]);
    hd_check(words[WATCHED_BYTES] == 0x08070605, "bytes: 0x%x", words[WATCHED_BYTES]);
    hd_check(words[WATCHED_CHANGED] == 22, "changed: %u", words[WATCHED_CHANGED]);
    for (uint32_t lane = 0; lane < 32; lane++)
        hd_check(words[WATCHED_READ + lane] == (lane == 5 ? 8 : lane), "lane %u read %u", lane,
                 words[WATCHED_READ + lane]);
}

int hd_app_main(void)
{
    const uint32_t transactional = host_option("transactional", 0, 0, 3);
    uint32_t words[WATCHED_WORDS];
    watched_args args = {
        .words = host_filled(0, sizeof words), .waits = transactional == 1, .gives_up = transactional == 3};
    host_launch(transactional ? "watched_transactions" : "watched", hd_1d(1), hd_1d(32), 128, &args, sizeof args);
    hd_copy_from_device(words, args.words, sizeof words);
    if (transactional)
        hd_check(words[WATCHED_SUM] == 1 + 2 + 3, "sum: %u", words[WATCHED_SUM]);
    else
        check_plain(words);
    return HD_PASS;
}

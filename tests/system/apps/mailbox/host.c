/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

#define HEAP_PART (16u << 20) /* somewhere in it lies the mailbox that the machine's file names */

int hd_app_main(void)
{
    uint32_t count = host_option("count", 1000, 1, 1 << 20);
    uint32_t block = host_option("block", 64, 1, 1024);
    hd_device_ptr mailbox = {host_option("mailbox", 0x10800000, 0, UINT32_MAX)};
    uint32_t words[MAILBOX_WORDS], wrong, sum = 0;
    hd_device_ptr part = hd_malloc(HEAP_PART);
    hd_check(part.address <= mailbox.address && mailbox.address + sizeof words <= part.address + HEAP_PART,
             "no mailbox at 0x%x: memory is at 0x%x", mailbox.address, part.address);
    mailbox_args args = {.mailbox = mailbox, .count = count, .first = 7};
    args.source = host_filled(0, 4 * count);
    args.result = host_filled(0, 4 * count);
    args.wrong = host_filled(0, sizeof wrong);
    hd_fill(mailbox, 0, sizeof words);
    host_launch("mailbox", hd_1d(1), hd_1d(block), 0, &args, sizeof args);

    uint32_t *result = hd_host_alloc(4 * count);
    hd_copy_from_device(result, args.result, 4 * count);
    hd_copy_from_device(words, mailbox, sizeof words);
    hd_copy_from_device(&wrong, args.wrong, sizeof wrong);
    for (uint32_t i = 0; i < count; i++) {
        host_check_word("result", i, result[i], 3 * (args.first + i));
        sum += result[i];
    }
    host_check_word("sum", 0, words[MAILBOX_SUM], sum);
    host_check_word("wrong", 0, wrong, 0);
    return HD_PASS;
}

/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { MOST_KEYS = 1 << 16 };

/* A counting sort, which is stable. */
static merge_sort_pair *reference(const merge_sort_pair *pairs, uint32_t count, uint32_t keys)
{
    merge_sort_pair *sorted = hd_host_alloc(count * sizeof *sorted);
    uint32_t *place = hd_host_alloc((keys + 1) * sizeof *place);
    memset(place, 0, (keys + 1) * sizeof *place);
    for (uint32_t i = 0; i < count; i++)
        place[pairs[i].key + 1]++;
    for (uint32_t key = 0; key < keys; key++)
        place[key + 1] += place[key];
    for (uint32_t i = 0; i < count; i++)
        sorted[place[pairs[i].key]++] = pairs[i];
    return sorted;
}

int hd_app_main(void)
{
    uint32_t count = host_option("pairs", 2048, 1, 1u << 24);
    uint32_t keys = host_option("keys", 1000, 1, MOST_KEYS);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    hd_check((block & (block - 1)) == 0, "option block is %u; it must be a power of two", block);

    size_t bytes = count * sizeof(merge_sort_pair);
    merge_sort_pair *pairs = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < count; i++)
        pairs[i] = (merge_sort_pair){host_random_below(&random, keys), i};

    merge_sort_args args = {.from = host_upload(pairs, bytes), .to = host_poisoned(bytes), .count = count};
    /* Each by itself: what a launch takes does not depend on how fast the host appends the next one. */
    hd_wait(host_launch("merge_sort_tiles", host_blocks(count, block), hd_1d(block), block * (uint32_t)sizeof *pairs,
                        &args, sizeof args));
    for (args.run = block; args.run < count; args.run *= 2) {
        hd_device_ptr last = args.to;
        args.to = args.from;
        args.from = last;
        hd_wait(host_launch("merge_sort_runs", host_blocks(count, block), hd_1d(block), 0, &args, sizeof args));
    }

    const merge_sort_pair *sorted = host_download(args.to, bytes), *expected = reference(pairs, count, keys);
    for (uint32_t i = 0; i < count; i++) {
        host_check_word("keys", i, sorted[i].key, expected[i].key);
        host_check_word("values", i, sorted[i].value, expected[i].value);
    }
    hd_report("pairs", count);
    return HD_PASS;
}

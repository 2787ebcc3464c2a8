/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/scratchpad_forms.h"

static const char *const kernels[] = {[FORM_TM] = "block_hashtable_tm",
                                      [FORM_LOCKS] = "block_hashtable_locks",
                                      [FORM_SERIAL] = "block_hashtable_serial",
                                      [FORM_ATOMICS] = "block_hashtable_atomics"};

/* Each key is reached once, from its own bucket. */
static void check_table(const block_hashtable_args *args, const uint32_t *keys, const uint32_t *table, uint32_t block)
{
    const uint32_t *nodes = table + args->buckets;
    uint32_t *seen = hd_host_alloc(args->key_count * 4);
    memset(seen, 0, args->key_count * 4);
    uint32_t reached = 0;
    for (uint32_t bucket = 0; bucket < args->buckets; bucket++)
        for (uint32_t node = table[bucket]; node; node = nodes[node - 1]) {
            hd_check(node <= args->key_count && reached++ < args->key_count,
                     "block %u: the chain of bucket %u is broken", block, bucket);
            hd_check(!seen[node - 1]++, "block %u: key %u is reached twice", block, node - 1);
            hd_check(keys[node - 1] % args->buckets == bucket, "block %u: key %u is in bucket %u", block, node - 1,
                     bucket);
        }
    hd_check(reached == args->key_count, "block %u: %u of %u keys are reached", block, reached, args->key_count);
    hd_host_free(seen);
}

int hd_app_main(void)
{
    const uint32_t form = scratchpad_form(hd_option_text("sync", "locks"), 1);
    block_hashtable_args args = {.buckets = host_option("buckets", 256, 1, BUCKETS_MAX),
                                 .key_count = host_option("keys", 1024, 1, KEYS_MAX)};
    const form_shape shape = {.grid = host_option("grid", 1, 1, 4096), .block = host_option("block", 256, 1, 256)};
    uint64_t random = hd_option("seed", 1);
    const uint32_t words = args.buckets + args.key_count;
    const size_t bytes = (size_t)shape.grid * args.key_count * 4, result_bytes = (size_t)shape.grid * words * 4;
    uint32_t *keys = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < shape.grid * args.key_count; i++)
        keys[i] = (uint32_t)hd_random(&random);
    args.keys = host_upload(keys, bytes);
    args.results = host_poisoned(result_bytes);
    host_launch(kernels[form], hd_1d(shape.grid), hd_1d(shape.block),
                (words + (form == FORM_LOCKS ? args.buckets : 0)) * 4, &args, sizeof args);
    const uint32_t *results = host_download(args.results, result_bytes);
    for (uint32_t block = 0; block < shape.grid; block++)
        check_table(&args, keys + block * args.key_count, results + block * words, block);
    return HD_PASS;
}

/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

int hd_app_main(void)
{
    uint32_t words = host_option("words", 4096, 1, 1u << 24);
    uint32_t window = host_option("window", 16, 1, 1024);
    uint32_t block = host_option("block", 128, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    size_t stream_bytes = ((size_t)words + window - 1) * sizeof(uint32_t), bytes = words * sizeof(uint32_t);
    uint32_t *stream = hd_host_alloc(stream_bytes);
    for (uint32_t i = 0; i < words + window - 1; i++)
        stream[i] = (uint32_t)hd_random(&random);

    sliding_hash_args args = {
        .stream = host_upload(stream, stream_bytes), .hashes = host_poisoned(bytes), .words = words, .window = window};
    host_launch("sliding_hash", host_blocks(words, block), hd_1d(block),
                (block + window - 1) * (uint32_t)sizeof(uint32_t), &args, sizeof args);

    const uint32_t *hashes = host_download(args.hashes, bytes);
    for (uint32_t i = 0; i < words; i++)
        host_check_word("hashes", i, hashes[i], sliding_hash_of(stream + i, window));
    hd_report("windows", words);
    return HD_PASS;
}

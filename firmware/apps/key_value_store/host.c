/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { NOW = 1000 };

/* The first word of a key is its number, so that no two are equal. */
static store_key random_key(uint32_t number, uint64_t *random)
{
    store_key key = {.words = 1 + host_random_below(random, KEY_WORDS_MAX), .word = {number}};
    for (uint32_t i = 1; i < key.words; i++)
        key.word[i] = (uint32_t)hd_random(random);
    return key;
}

static store_item random_item(uint32_t number, uint32_t expired, uint64_t *random)
{
    store_item item = {.key = random_key(number, random),
                       .expires = NOW + (host_random_below(random, 100) < expired ? 0 : 1),
                       .value_words = 1 + host_random_below(random, VALUE_WORDS_MAX)};
    for (uint32_t i = 0; i < item.value_words; i++)
        item.value[i] = (uint32_t)hd_random(random);
    item.hash = item.key.words;
    for (uint32_t i = 0; i < item.key.words; i++)
        item.hash = store_hash_mix(item.hash, item.key.word[i]);
    return item;
}

/* Every word of it, those too that nobody has written. */
static void check_words(const char *array, uint32_t index, const void *got, const void *expected, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / 4; i++)
        host_check_word(array, index * bytes / 4 + i, ((const uint32_t *)got)[i], ((const uint32_t *)expected)[i]);
}

static store_reply reply_with(const store_item *item)
{
    store_reply reply;
    memset(&reply, 0xA5, sizeof reply); /* as host_poisoned */
    reply.status = !item ? REPLY_MISS : item->expires <= NOW ? REPLY_EXPIRED : REPLY_HIT;
    reply.value_words = reply.status == REPLY_HIT ? item->value_words : 0;
    for (uint32_t i = 0; i < reply.value_words; i++)
        reply.value[i] = item->value[i];
    return reply;
}

int hd_app_main(void)
{
    uint32_t count = host_option("items", 1024, 1, 1u << 20);
    uint32_t buckets = host_option("buckets", 512, 1, 1u << 20);
    uint32_t requests = host_option("requests", 1024, 1, 1u << 22);
    uint32_t misses = host_option("misses", 10, 0, 100);
    uint32_t expired = host_option("expired", 10, 0, 100);
    uint32_t block = host_option("block", 128, 1, 1024);
    uint64_t random = hd_option("seed", 1);
    hd_check(!(buckets & (buckets - 1)), "option buckets is %u; it must be a power of two", buckets);

    store_item *items = hd_host_alloc(count * sizeof *items);
    hd_device_ptr *chains = hd_host_alloc(buckets * sizeof *chains);
    const hd_device_ptr device_items = host_poisoned(count * sizeof *items);
    memset(chains, 0, buckets * sizeof *chains);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = random_item(i, expired, &random);
        hd_device_ptr *chain = &chains[items[i].hash & (buckets - 1)];
        items[i].next = *chain;
        chain->address = device_items.address + i * (uint32_t)sizeof *items;
    }
    hd_copy_to_device(device_items, items, count * sizeof *items);

    store_key *keys = hd_host_alloc(requests * sizeof *keys);
    const store_item **asked = hd_host_alloc(requests * sizeof *asked);
    for (uint32_t i = 0; i < requests; i++) {
        asked[i] = host_random_below(&random, 100) < misses ? NULL : items + host_random_below(&random, count);
        keys[i] = asked[i] ? asked[i]->key : random_key(count + i, &random);
    }

    store_args args = {.chains = host_upload(chains, buckets * sizeof *chains),
                       .requests = host_upload(keys, requests * sizeof *keys),
                       .replies = host_poisoned(requests * sizeof(store_reply)),
                       .mask = buckets - 1,
                       .count = requests,
                       .now = NOW};
    host_launch("key_value_store", host_blocks(requests, block), hd_1d(block), 0, &args, sizeof args);

    const store_reply *replies = host_download(args.replies, requests * sizeof *replies);
    uint32_t hits = 0;
    for (uint32_t i = 0; i < requests; i++) {
        const store_reply expected = reply_with(asked[i]);
        check_words("replies", i, &replies[i], &expected, sizeof expected);
        if (expected.status == REPLY_HIT) {
            items[asked[i] - items].used = NOW;
            hits++;
        }
    }
    const store_item *after = host_download(device_items, count * sizeof *items);
    for (uint32_t i = 0; i < count; i++)
        check_words("items", i, &after[i], &items[i], sizeof *items);
    hd_report("requests", requests);
    hd_report("hits", hits);
    return HD_PASS;
}

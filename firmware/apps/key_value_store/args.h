/* SPDX-License-Identifier: MIT */
#ifndef KEY_VALUE_STORE_ARGS_H
#define KEY_VALUE_STORE_ARGS_H

#include "heddle_args.h"

enum { KEY_WORDS_MAX = 8, VALUE_WORDS_MAX = 8 };
enum { REPLY_MISS, REPLY_HIT, REPLY_EXPIRED };

typedef struct store_key {
    uint32_t words;
    uint32_t word[KEY_WORDS_MAX];
} store_key;

typedef struct store_item {
    hd_device_ptr next; /* of the chain; 0: none */
    uint32_t hash;
    store_key key;
    uint32_t expires;
    uint32_t used; /* when it was given out last */
    uint32_t value_words;
    uint32_t value[VALUE_WORDS_MAX];
} store_item;

typedef struct store_reply {
    uint32_t status;
    uint32_t value_words; /* of a hit */
    uint32_t value[VALUE_WORDS_MAX];
} store_reply;

typedef struct store_args {
    hd_device_ptr chains;   /* hd_device_ptr[mask + 1], to store_item */
    hd_device_ptr requests; /* store_key[count] */
    hd_device_ptr replies;  /* store_reply[count] */
    uint32_t mask, count;
    uint32_t now;
} store_args;
HD_ARGUMENT_BLOCK(store_args, 24);

static inline uint32_t store_hash_mix(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9E3779B1u;
    return hash ^ hash >> 15;
}

#endif

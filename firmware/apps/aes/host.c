/* SPDX-License-Identifier: MIT */
/* The reference works on bytes, as FIPS 197 describes the cipher; the kernel looks columns up. */
#include "args.h"
#include "common/host_check.h"

static uint8_t substitution[256];

/* In GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            product ^= a;
        a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1B : 0));
    }
    return product;
}

static void make_substitution(void)
{
    for (uint32_t value = 0; value < 256; value++) {
        uint8_t inverse = 0;
        for (uint32_t other = 1; other < 256; other++)
            if (multiply((uint8_t)value, (uint8_t)other) == 1)
                inverse = (uint8_t)other;
        uint32_t twice = inverse * 0x101u;
        substitution[value] = (uint8_t)(inverse ^ twice >> 7 ^ twice >> 6 ^ twice >> 5 ^ twice >> 4 ^ 0x63);
    }
}

static uint32_t word_of(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void expand_key(const uint8_t key[16], uint8_t keys[AES_ROUNDS + 1][16])
{
    uint8_t *all = keys[0], constant = 1;
    memcpy(all, key, 16);
    for (uint32_t at = 16; at < 16 * (AES_ROUNDS + 1); at += 4) {
        for (uint32_t i = 0; i < 4; i++) {
            uint8_t last = at % 16 ? all[at - 4 + i] : substitution[all[at - 4 + (i + 1) % 4]];
            all[at + i] = all[at - 16 + i] ^ last;
        }
        if (at % 16 == 0) {
            all[at] ^= constant;
            constant = multiply(constant, 2);
        }
    }
}

static void encrypt_round(uint8_t state[16], const uint8_t key[16], uint32_t mixes)
{
    uint8_t shifted[16];
    for (uint32_t i = 0; i < 16; i++)
        shifted[i] = substitution[state[(i + 4 * (i % 4)) % 16]];
    for (uint32_t i = 0; i < 16; i++) {
        const uint8_t *column = shifted + i / 4 * 4;
        uint8_t value = shifted[i];
        if (mixes)
            value = multiply(column[i % 4], 2) ^ multiply(column[(i + 1) % 4], 3) ^ column[(i + 2) % 4] ^
                    column[(i + 3) % 4];
        state[i] = value ^ key[i];
    }
}

static void encrypt(uint8_t state[16], uint8_t keys[AES_ROUNDS + 1][16])
{
    for (uint32_t i = 0; i < 16; i++)
        state[i] ^= keys[0][i];
    for (uint32_t round = 1; round <= AES_ROUNDS; round++)
        encrypt_round(state, keys[round], round < AES_ROUNDS);
}

/* FIPS 197, appendix C.1 */
static void check_published(void)
{
    static const uint8_t published[16] = {0x69, 0xC4, 0xE0, 0xD8, 0x6A, 0x7B, 0x04, 0x30,
                                          0xD8, 0xCD, 0xB7, 0x80, 0x70, 0xB4, 0xC5, 0x5A};
    uint8_t key[16], state[16], keys[AES_ROUNDS + 1][16];
    for (uint32_t i = 0; i < 16; i++) {
        key[i] = (uint8_t)i;
        state[i] = (uint8_t)(0x11 * i);
    }
    expand_key(key, keys);
    encrypt(state, keys);
    for (uint32_t i = 0; i < 16; i++)
        host_check_word("published cipher", i, state[i], published[i]);
}

static void to_columns(const uint8_t *bytes, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = word_of(bytes + 4 * (size_t)i);
}

int hd_app_main(void)
{
    uint32_t count = host_option("blocks", 1024, 1, 1u << 20);
    uint32_t block = host_option("block", 256, 1, 1024);
    uint64_t random = hd_option("seed", 1);

    make_substitution();
    check_published();
    size_t bytes = (size_t)count * sizeof(aes_block);
    uint8_t key[16], keys[AES_ROUNDS + 1][16], *text = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < 16; i++)
        key[i] = (uint8_t)host_random_below(&random, 256);
    expand_key(key, keys);
    for (size_t i = 0; i < bytes; i++)
        text[i] = (uint8_t)host_random_below(&random, 256);

    uint32_t table[AES_TABLE], key_words[4 * (AES_ROUNDS + 1)], *words = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < AES_TABLE; i++) {
        uint8_t value = substitution[i], column[4] = {multiply(value, 2), value, value, multiply(value, 3)};
        table[i] = word_of(column);
    }
    to_columns(keys[0], key_words, 4 * (AES_ROUNDS + 1));
    to_columns(text, words, 4 * count);

    aes_args args = {.table = host_upload(table, sizeof table),
                     .keys = host_upload(key_words, sizeof key_words),
                     .text = host_upload(words, bytes),
                     .cipher = host_poisoned(bytes),
                     .count = count};
    host_launch("aes", host_blocks(count, block), hd_1d(block), sizeof table, &args, sizeof args);

    const uint32_t *cipher = host_download(args.cipher, bytes);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *state = text + 16 * (size_t)i;
        encrypt(state, keys);
        for (uint32_t column = 0; column < 4; column++)
            host_check_word("cipher", 4 * i + column, cipher[4 * i + column], word_of(state + 4 * (size_t)column));
    }
    hd_report("blocks", count);
    return HD_PASS;
}

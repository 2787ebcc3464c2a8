/* SPDX-License-Identifier: MIT */
#include "sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "input_file.h"

static const uint32_t constants[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

static uint32_t rotated(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static void expand(const uint8_t *block, uint32_t *words)
{
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) + words[i - 7] +
                   (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
    }
}

static void mix(uint32_t *state, const uint8_t *block)
{
    uint32_t words[64], s[8];
    expand(block, words);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t first = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
        uint32_t second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

void sha256_begin(sha256 *hash)
{
    *hash = (sha256){
        .state = {0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19}};
}

void sha256_add(sha256 *hash, const void *data, size_t bytes)
{
    const uint8_t *from = data;
    while (bytes) {
        size_t used = hash->bytes % sizeof hash->block, room = sizeof hash->block - used;
        size_t part = bytes < room ? bytes : room;
        memcpy(hash->block + used, from, part);
        hash->bytes += part;
        from += part;
        bytes -= part;
        if (part == room)
            mix(hash->state, hash->block);
    }
}

digest sha256_end(sha256 *hash)
{
    uint64_t bits = hash->bytes * 8;
    uint8_t length[8];
    digest result;
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(hash, "\x80", 1);
    while (hash->bytes % sizeof hash->block != 56)
        sha256_add(hash, "", 1);
    sha256_add(hash, length, sizeof length);
    for (int i = 0; i < 8; i++)
        snprintf(result.text + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
    return result;
}

digest digest_of(const void *data, size_t bytes)
{
    sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, data, bytes);
    return sha256_end(&hash);
}

digest digest_of_text(const char *text)
{
    return digest_of(text, strlen(text));
}

int digest_of_file(const char *path, digest *result)
{
    char buffer[1 << 16];
    sha256 hash;
    size_t bytes;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    input_file_note(path);
    sha256_begin(&hash);
    while ((bytes = fread(buffer, 1, sizeof buffer, file)))
        sha256_add(&hash, buffer, bytes);
    int failed = ferror(file), why = errno;
    fclose(file);
    errno = why;
    *result = sha256_end(&hash);
    return !failed;
}

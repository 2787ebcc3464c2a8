/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4): what identifies inputs, files and results. */
#ifndef EXPLORE_SHA256_H
#define EXPLORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_CHARACTERS 64u

/* In hexadecimal, with a terminating zero. */
typedef struct digest {
    char text[DIGEST_CHARACTERS + 1];
} digest;

typedef struct sha256 {
    uint32_t state[8];
    uint64_t bytes; /* so far */
    uint8_t block[64];
} sha256;

void sha256_begin(sha256 *hash);
void sha256_add(sha256 *hash, const void *data, size_t bytes);
digest sha256_end(sha256 *hash);

digest digest_of(const void *data, size_t bytes);
digest digest_of_text(const char *text);
/* Returns 1, or 0 and errno if the file cannot be read. */
int digest_of_file(const char *path, digest *result);

#endif

/* SPDX-License-Identifier: MIT */
#include "h3.h"

/* splitmix64 */
static uint64_t draw(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void h3_draw(h3 *hash, uint64_t *seed)
{
    for (uint32_t i = 0; i < H3_KEY_BITS / 8; i++) {
        uint32_t words[8];
        for (uint32_t bit = 0; bit < 8; bit++)
            words[bit] = (uint32_t)(draw(seed) >> 32);
        for (uint32_t byte = 0; byte < 256; byte++) {
            hash->of_byte[i][byte] = 0;
            for (uint32_t bit = 0; bit < 8; bit++)
                hash->of_byte[i][byte] ^= byte >> bit & 1 ? words[bit] : 0;
        }
    }
}

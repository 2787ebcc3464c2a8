/* SPDX-License-Identifier: MIT */
/* Something of everything that is mutated, and of what is not; check.py says what comes of it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TWICE(x) ((x) * 2)
enum { FIRST, SECOND = 1 + 1 };
static const int table[4] = {1, 2, 3, 12};
static unsigned calls;

static bool is_small(int x)
{
    calls++; // deletion, increment
    return x < TWICE(4);
}

static int kind_of(int x)
{
    switch (x & 3) {
    case 0: return FIRST;
    case 1 + 1: return SECOND;
    default: return -x;
    }
}

static const int *find(int wanted)
{
    for (int i = 0; i < 3; i++)
        if (table[i] == wanted)
            return &table[i];
    return NULL;
}

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint32_t zero[4] = {0}, sum = a << 1 | b;
    sum += sizeof(uint32_t[2]) * b;
    zero[1] = sum;
    if (!a || (b && is_small((int)b)))
        return zero[1] ^ 0x10;
    do
        sum -= sum / 2; /* a comment with a ; and a " */
    while (sum > a && b > 2);
    return sum > a ? sum : ~sum;
}

int main(void)
{
    for (int x = 0; x < 12; x++) {
        const int *found = find(x);
        printf("%d %d %d %u\n", is_small(x), kind_of(x), found ? *found : -1,
               mix((uint32_t)x, (uint32_t)(11 - x)));
    }
    printf("%u\n", calls);
    return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* Addresses wherever a kernel can have them: in code, constants, variables, tables of functions, with offsets that carry from the
 * low half into the upper one. */
#include "simt.h"

typedef uint32_t operation(uint32_t);

static uint32_t twice(uint32_t x)
{
    return 2 * x;
}

static uint32_t thrice(uint32_t x)
{
    return 3 * x;
}

static operation *const table[] = {twice, thrice};
static uint32_t words[5000];
static uint32_t *middle = &words[2500], *behind = &words[5000];
static const char *const texts[] = {"one", "two"};
double wide = 1.5;

SIMT_KERNEL(moved, const uint32_t *arguments)
{
    operation *volatile chosen = table[arguments[0] & 1];
    words[arguments[1] % 5000] = chosen(arguments[1]);
    words[2047] = words[511] + words[512] + (uint32_t)texts[arguments[0] & 1][0];
    middle[arguments[2] % 8] = (uint32_t)(behind - middle);
    wide = wide * arguments[0];
}

/* SPDX-License-Identifier: MIT */
/* Loads that wait for each other, or not: lists through lines of memory in random order. Arguments: lists (1, 2, 4 or 8), lines, steps,
 * seed; 0: 1, 4096, 512, 1. */
#include "vector.h"

#define LISTS_MAX 8u
#define LINES_MAX 32768u
#define LINE_WORDS 16u

typedef uint32_t line[LINE_WORDS];

void v_chase_1(const uint32_t *at[], uint32_t steps);
void v_chase_2(const uint32_t *at[], uint32_t steps);
void v_chase_4(const uint32_t *at[], uint32_t steps);
void v_chase_8(const uint32_t *at[], uint32_t steps);

static line lines[LINES_MAX] __attribute__((aligned(64)));
static uint32_t order[LINES_MAX];

static void shuffle(uint32_t count, uint32_t state)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count - 1; i; i--) {
        state = state * 1664525u + 1013904223u;
        const uint32_t other = (state >> 8) % (i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

static const uint32_t *address(uint32_t i)
{
    return lines[order[i]];
}

/* One ring of all lines, in the order of the shuffle; once around it, so that every line has been read. */
static void make_ring(uint32_t count)
{
    const uint32_t *at[1] = {address(0)};
    for (uint32_t i = 0; i < count; i++)
        lines[order[i]][0] = (uint32_t)(uintptr_t)address((i + 1) % count);
    v_chase_1(at, count);
}

static void chase(uint32_t lists, const uint32_t *at[], uint32_t steps)
{
    switch (lists) {
    case 1: v_chase_1(at, steps); return;
    case 2: v_chase_2(at, steps); return;
    case 4: v_chase_4(at, steps); return;
    default: v_chase_8(at, steps); return;
    }
}

int main(uint32_t lists, uint32_t count, uint32_t steps, uint32_t seed)
{
    const uint32_t *at[LISTS_MAX];
    uint32_t wrong = 0;
    lists = lists ? lists : 1;
    count = count && count <= LINES_MAX ? count : 4096;
    steps = steps ? steps : 512;
    shuffle(count, seed ? seed : 1);
    make_ring(count);
    for (uint32_t i = 0; i < lists; i++)
        at[i] = address(i * (count / lists));
    measure_begin();
    chase(lists, at, steps);
    measure_end();
    for (uint32_t i = 0; i < lists; i++)
        wrong += at[i] != address((i * (count / lists) + steps) % count);
    return wrong != 0;
}

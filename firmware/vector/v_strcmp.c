/* SPDX-License-Identifier: MIT */
/* A text with its copy, of which every second one differs in its last character. */
#include "vector.h"
#include "words.h"

int v_strcmp(const char *a, const char *b);

static char copies[WORDS_ROOM] __attribute__((aligned(64)));
static const char *copy[WORDS_TEXTS];
static int order[WORDS_TEXTS];

static void make_copies(const words *w)
{
    char *to = copies;
    for (uint32_t i = 0; i < w->texts; i++) {
        copy[i] = to;
        for (uint32_t k = 0; k <= w->length[i]; k++)
            to[k] = w->text[i][k];
        if (i % 2)
            to[w->length[i] - 1] ^= 1;
        to += (w->length[i] + 16) & ~15u;
    }
}

static int reference(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (uint8_t)*a - (uint8_t)*b;
}

int main(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes)
{
    const words *w = words_make(calls, seed, words_in_text, bytes);
    uint32_t sum = 0, expected = 0;
    make_copies(w);
    words_warm();
    measure_begin();
    for (uint32_t i = 0; i < w->calls; i++)
        sum = sum * 31 + (uint32_t)v_strcmp(w->text[w->order[i]], copy[w->order[i]]);
    measure_end();
    for (uint32_t i = 0; i < w->texts; i++)
        order[i] = reference(w->text[i], copy[i]);
    for (uint32_t i = 0; i < w->calls; i++)
        expected = expected * 31 + (uint32_t)order[w->order[i]];
    return sum != expected;
}

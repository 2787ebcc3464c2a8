/* SPDX-License-Identifier: MIT */
/* Copies go to places of their own, with something behind each that has to stay. */
#include "vector.h"
#include "words.h"

char *v_strcpy(char *to, const char *from);

#define GUARD 0x55

static char copies[WORDS_ROOM + 16 * WORDS_TEXTS] __attribute__((aligned(64)));
static char *copy[WORDS_TEXTS];
static uint8_t is_copied[WORDS_TEXTS];

static void make_places(const words *w)
{
    char *to = copies;
    for (uint32_t i = 0; i < w->texts; i++) {
        copy[i] = to;
        to += (w->length[i] + 17) & ~15u;
        for (char *at = copy[i]; at < to; at++)
            *at = GUARD;
    }
}

static int is_wrong(const words *w, uint32_t i)
{
    uint32_t wrong = copy[i][w->length[i] + 1] != GUARD;
    for (uint32_t k = 0; k <= w->length[i]; k++)
        wrong |= copy[i][k] != (is_copied[i] ? w->text[i][k] : GUARD);
    return wrong != 0;
}

int main(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes)
{
    const words *w = words_make(calls, seed, words_in_text, bytes);
    uint32_t wrong = 0;
    make_places(w);
    words_warm();
    measure_begin();
    for (uint32_t i = 0; i < w->calls; i++)
        v_strcpy(copy[w->order[i]], w->text[w->order[i]]);
    measure_end();
    for (uint32_t i = 0; i < w->calls; i++)
        is_copied[w->order[i]] = 1;
    for (uint32_t i = 0; i < w->texts; i++)
        wrong += (uint32_t)is_wrong(w, i);
    return wrong != 0;
}

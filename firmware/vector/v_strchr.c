/* SPDX-License-Identifier: MIT */
/* The character does not occur, so that all of the text is looked at; in every fourth text it is its last one. */
#include "vector.h"
#include "words.h"

const char *v_strchr(const char *s, int c);

static int wanted(const words *w, uint32_t text)
{
    return text % 4 ? 'Z' : w->text[text][w->length[text] - 1];
}

static uint32_t reference(const char *s, int c)
{
    for (; *s; s++)
        if (*s == c)
            return (uint32_t)(uintptr_t)s;
    return 0;
}

static int character[WORDS_TEXTS];
static uint32_t found[WORDS_TEXTS];

int main(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes)
{
    const words *w = words_make(calls, seed, words_in_text, bytes);
    uint32_t sum = 0, expected = 0;
    for (uint32_t i = 0; i < w->texts; i++)
        character[i] = wanted(w, i);
    words_warm();
    measure_begin();
    for (uint32_t i = 0; i < w->calls; i++)
        sum = sum * 31 + (uint32_t)(uintptr_t)v_strchr(w->text[w->order[i]], character[w->order[i]]);
    measure_end();
    for (uint32_t i = 0; i < w->texts; i++)
        found[i] = reference(w->text[i], character[i]);
    for (uint32_t i = 0; i < w->calls; i++)
        expected = expected * 31 + found[w->order[i]];
    return sum != expected;
}

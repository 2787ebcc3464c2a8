/* SPDX-License-Identifier: MIT */
#include "vector.h"
#include "words.h"

uint32_t v_strlen(const char *s);

int main(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes)
{
    const words *w = words_make(calls, seed, words_in_text, bytes);
    uint32_t sum = 0, expected = 0;
    words_warm();
    measure_begin();
    for (uint32_t i = 0; i < w->calls; i++)
        sum += v_strlen(w->text[w->order[i]]);
    measure_end();
    for (uint32_t i = 0; i < w->calls; i++)
        expected += w->length[w->order[i]];
    return sum != expected;
}

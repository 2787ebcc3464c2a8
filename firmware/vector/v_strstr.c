/* SPDX-License-Identifier: MIT */
/* The part is the end of the text, three letters of it, or of another text. */
#include "vector.h"
#include "words.h"

#define PART 3u

const char *v_strstr(const char *text, const char *part, uint32_t length);

static const char *part[WORDS_TEXTS];
static uint32_t part_length[WORDS_TEXTS];
static uint32_t found[WORDS_TEXTS];

static void choose_parts(const words *w)
{
    for (uint32_t i = 0; i < w->texts; i++) {
        const uint32_t from = i % 4 == 3 ? (i + 1) % w->texts : i;
        part_length[i] = w->length[from] < PART ? w->length[from] : PART;
        part[i] = w->text[from] + w->length[from] - part_length[i];
    }
}

static uint32_t begins_with(const char *text, const char *with)
{
    while (*with && *text == *with)
        text++, with++;
    return !*with;
}

static uint32_t reference(const char *text, const char *wanted)
{
    for (; *text; text++)
        if (begins_with(text, wanted))
            return (uint32_t)(uintptr_t)text;
    return 0;
}

int main(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes)
{
    const words *w = words_make(calls, seed, words_in_text, bytes);
    uint32_t sum = 0, expected = 0;
    choose_parts(w);
    words_warm();
    measure_begin();
    for (uint32_t i = 0; i < w->calls; i++)
        sum =
            sum * 31 + (uint32_t)(uintptr_t)v_strstr(w->text[w->order[i]], part[w->order[i]], part_length[w->order[i]]);
    measure_end();
    for (uint32_t i = 0; i < w->texts; i++)
        found[i] = reference(w->text[i], part[i]);
    for (uint32_t i = 0; i < w->calls; i++)
        expected = expected * 31 + found[w->order[i]];
    return sum != expected;
}

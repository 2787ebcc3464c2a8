/* SPDX-License-Identifier: MIT */
#include "words.h"

#define ALIGNMENT 16u
#define SHORTEST 2u
#define USUAL_BYTES (16u << 10)

/* Of 1000 words, how many have 2, 3, ... 16 letters. */
static const uint16_t of_length[] = {8, 24, 57, 96, 128, 145, 148, 132, 103, 71, 45, 25, 11, 5, 2};
/* Of 1000 letters, how many are a, b, ... z. */
static const uint16_t of_letter[] = {82, 15, 28, 43, 127, 22, 20, 61, 70, 2,  8, 40, 24,
                                     67, 75, 19, 1,  60,  63, 91, 28, 10, 24, 2, 20, 1};

static words made;
static char room[WORDS_ROOM] __attribute__((aligned(64)));
static uint32_t state;
static const char *end_of_texts;

uint32_t words_random(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static uint32_t drawn(const uint16_t *of_thousand, uint32_t count)
{
    uint32_t left = words_random() % 1000, i = 0;
    while (i + 1 < count && left >= of_thousand[i])
        left -= of_thousand[i++];
    return i;
}

static char *put_word(char *to)
{
    const uint32_t length = SHORTEST + drawn(of_length, sizeof of_length / sizeof *of_length);
    for (uint32_t i = 0; i < length; i++)
        *to++ = (char)('a' + drawn(of_letter, sizeof of_letter / sizeof *of_letter));
    return to;
}

static char *put_text(char *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            *to++ = ' ';
        to = put_word(to);
    }
    *to = 0;
    return to;
}

const words *words_make(uint32_t calls, uint32_t seed, uint32_t words_in_text, uint32_t bytes)
{
    const uint32_t in_text = words_in_text ? words_in_text : 1;
    const uint32_t most = (in_text * 17 + 2 * ALIGNMENT);
    const uint32_t wanted = bytes ? bytes : USUAL_BYTES;
    const char *end_of_room = room + (wanted > most ? wanted < WORDS_ROOM ? wanted : WORDS_ROOM : most + 1);
    char *to = room;
    state = seed ? seed : 1;
    made.calls = calls ? calls : 1000;
    if (made.calls > WORDS_CALLS)
        made.calls = WORDS_CALLS;
    while (made.texts < WORDS_TEXTS && to + most < end_of_room) {
        char *end = put_text(to, in_text);
        made.text[made.texts] = to;
        made.length[made.texts++] = (uint32_t)(end - to);
        to = (char *)(((uintptr_t)end + ALIGNMENT) & ~(uintptr_t)(ALIGNMENT - 1));
    }
    end_of_texts = to;
    for (uint32_t i = 0; i < made.calls; i++)
        made.order[i] = (uint16_t)(words_random() % made.texts);
    return &made;
}

void words_warm(void)
{
    for (const volatile char *at = room; at < end_of_texts; at += 64)
        (void)*at;
    for (const volatile char *at = (const volatile char *)&made; at < (const volatile char *)(made.order + made.calls);
         at += 64)
        (void)*at;
}

/* SPDX-License-Identifier: MIT */
/* What is known of a word, now and when the interval began. */
#include "image.h"

#include <criterion/criterion.h>
#include <string.h>

#define LINE UINT64_C(0x10000080)

static image memory;

static uint8_t *line_of(uint32_t value)
{
    static uint32_t words[IMAGE_WORDS];
    for (uint32_t i = 0; i < IMAGE_WORDS; i++)
        words[i] = value + i;
    return (uint8_t *)words;
}

static void expect_word(uint32_t word, image_word expected)
{
    const image_word found = image_find(&memory, LINE + 4 * word);
    cr_expect_eq(found.is_known, expected.is_known, "word %u", word);
    cr_expect_eq(found.is_known_before, expected.is_known_before, "word %u", word);
    cr_expect_eq(found.is_plain, expected.is_plain, "word %u", word);
    if (expected.is_known)
        cr_expect_eq(found.now, expected.now, "word %u", word);
    if (expected.is_known_before)
        cr_expect_eq(found.before, expected.before, "word %u", word);
}

/* Word 0 is written without having been seen, word 1 after a read, word 2 only read, word 31 never seen. */
Test(transaction_image, a_word_has_a_value_before_the_interval_only_if_it_was_seen)
{
    image_begin_interval(&memory);
    cr_expect_eq(image_read(&memory, LINE, line_of(100), 6), 0);
    image_write(&memory, LINE, line_of(200), 3, 0);
    expect_word(0, (image_word){.is_known = 1, .now = 200});
    expect_word(1, (image_word){.is_known = 1, .now = 201, .is_known_before = 1, .before = 101});
    expect_word(2, (image_word){.is_known = 1, .now = 102, .is_known_before = 1, .before = 102});
    expect_word(31, (image_word){.is_known = 0});
    image_write(&memory, LINE, line_of(300), 2, 1);
    expect_word(1, (image_word){.is_known = 1, .now = 301, .is_known_before = 1, .before = 101, .is_plain = 1});
    image_begin_interval(&memory);
    expect_word(0, (image_word){.is_known = 1, .now = 200, .is_known_before = 1, .before = 200});
    expect_word(1, (image_word){.is_known = 1, .now = 301, .is_known_before = 1, .before = 301});
    image_write(&memory, LINE, line_of(400), 1, 1);
    expect_word(0, (image_word){.is_known = 1, .now = 400, .is_known_before = 1, .before = 200, .is_plain = 1});
    expect_word(1, (image_word){.is_known = 1, .now = 301, .is_known_before = 1, .before = 301});
    image_clear(&memory);
    expect_word(0, (image_word){.is_known = 0});
}

Test(transaction_image, reads_that_are_not_what_was_written_last_are_named)
{
    image_begin_interval(&memory);
    image_write(&memory, LINE, line_of(100), 0x80000001, 0);
    cr_expect_eq(image_read(&memory, LINE, line_of(100), UINT32_MAX), 0);
    cr_expect_eq(image_read(&memory, LINE, line_of(200), 0x80000006), 0x80000006);
    image_clear(&memory);
}

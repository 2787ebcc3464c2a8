/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

Test(text_arena, memory_is_zeroed_and_aligned_for_any_type)
{
    arena memory = {0};
    static const size_t sizes[] = {1, 3, 16, 65536, 70000, 5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *bytes = arena_alloc(&memory, sizes[i]);
        cr_expect_eq((uintptr_t)bytes % _Alignof(max_align_t), 0, "%zu bytes", sizes[i]);
        for (size_t b = 0; b < sizes[i]; b++)
            cr_assert_eq(bytes[b], 0, "byte %zu of %zu", b, sizes[i]);
        memset(bytes, 0xFF, sizes[i]);
    }
    arena_free(&memory);
    cr_expect_null(memory.chunks);
}

Test(text_arena, what_has_grown_keeps_its_items)
{
    arena memory = {0};
    uint32_t *items = NULL;
    uint32_t capacity = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        items = arena_grow(&memory, items, i, &capacity, sizeof *items);
        cr_assert_gt(capacity, i);
        items[i] = i * 7;
    }
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(items[i], i * 7);
    arena_free(&memory);
}

Test(text_arena, copies_end_with_a_zero_and_formats_are_as_long_as_they_get)
{
    arena memory = {0};
    memset(arena_alloc(&memory, 64), 0xFF, 64);
    cr_expect_str_eq(arena_copy(&memory, "abcdef", 3), "abc");
    cr_expect_str_eq(arena_copy(&memory, "", 0), "");
    char word[501];
    memset(word, 'x', 500);
    word[500] = 0;
    const char *text = arena_format(&memory, "%s-%u", word, 12u);
    cr_expect_eq(strlen(text), 503);
    cr_expect_str_eq(text + 499, "x-12");
    arena_free(&memory);
}

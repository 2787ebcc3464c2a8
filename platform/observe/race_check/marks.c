/* SPDX-License-Identifier: MIT */
#include "marks.h"

#include <stdlib.h>

#define uthash_fatal(message) abort()
#include <uthash.h>

#define PAGE_WORDS 256u

typedef struct marked_page {
    uint32_t number;
    marked_word words[PAGE_WORDS];
    UT_hash_handle hh;
} marked_page;

#define BIT(kind) (1u << MARK_##kind)
#define SYNCHRONISING (BIT(ATOMIC) | BIT(RELEASE))
static const uint8_t conflicts[MARK_KINDS] = {
    [MARK_LOAD] = BIT(STORE) | SYNCHRONISING | BIT(TRANSACTIONAL_STORE),
    [MARK_STORE] =
        BIT(LOAD) | BIT(STORE) | BIT(ATOMIC_READ) | SYNCHRONISING | BIT(TRANSACTIONAL_LOAD) | BIT(TRANSACTIONAL_STORE),
    [MARK_ATOMIC_READ] = BIT(STORE) | BIT(TRANSACTIONAL_STORE),
    [MARK_ATOMIC] = BIT(LOAD) | BIT(STORE) | BIT(TRANSACTIONAL_LOAD) | BIT(TRANSACTIONAL_STORE),
    [MARK_RELEASE] = BIT(LOAD) | BIT(STORE) | BIT(TRANSACTIONAL_LOAD) | BIT(TRANSACTIONAL_STORE),
    [MARK_TRANSACTIONAL_LOAD] = BIT(STORE) | SYNCHRONISING,
    [MARK_TRANSACTIONAL_STORE] = BIT(LOAD) | BIT(STORE) | BIT(ATOMIC_READ) | SYNCHRONISING,
};

uint32_t marks_conflict(uint32_t kind, uint32_t other)
{
    return conflicts[kind] >> other & 1;
}

uint32_t marks_stand_for(uint32_t kind, uint32_t other)
{
    return (conflicts[other] & ~conflicts[kind]) == 0;
}

void marks_remove(marked_word *word, uint32_t i)
{
    word->marks[i] = word->marks[--word->count];
}

static uint32_t of_instruction(const marked_word *word, const mark *added)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < word->count; i++)
        count += word->marks[i].number == added->number && word->marks[i].kind == added->kind &&
                 word->marks[i].bytes == added->bytes;
    return count;
}

/* The oldest of the same block; if there is none, of all. */
static uint32_t to_give_way(const marked_word *word, uint64_t first_thread, uint32_t threads)
{
    uint32_t oldest = 0, is_near = 0;
    for (uint32_t i = 0; i < word->count; i++) {
        const mark *at = &word->marks[i];
        const uint32_t near = at->thread - first_thread < threads;
        if (near > is_near || (near == is_near && at->number < word->marks[oldest].number)) {
            oldest = i;
            is_near = near;
        }
    }
    return oldest;
}

void marks_add(marked_word *word, const mark *added, uint64_t first_thread, uint32_t threads)
{
    if (of_instruction(word, added) >= MARKS_OF_INSTRUCTION)
        return;
    if (word->count == MARKS_MAX)
        marks_remove(word, to_give_way(word, first_thread, threads));
    if (word->count == word->capacity) {
        word->capacity = word->capacity ? 2 * word->capacity : 1;
        word->marks = realloc(word->marks, word->capacity * sizeof *word->marks);
        if (!word->marks)
            abort();
    }
    word->marks[word->count++] = *added;
}

marked_word *marks_of(marked_memory *memory, uint32_t address)
{
    const uint32_t number = address / (4 * PAGE_WORDS);
    if (!memory->latest || memory->latest->number != number) {
        marked_page *page;
        HASH_FIND(hh, memory->pages, &number, sizeof number, page);
        if (!page) {
            page = calloc(1, sizeof *page);
            if (!page)
                abort();
            page->number = number;
            HASH_ADD(hh, memory->pages, number, sizeof page->number, page);
        }
        memory->latest = page;
    }
    return &memory->latest->words[address / 4 % PAGE_WORDS];
}

void marks_free(marked_memory *memory)
{
    marked_page *page, *next;
    HASH_ITER(hh, memory->pages, page, next)
    {
        HASH_DEL(memory->pages, page);
        for (uint32_t i = 0; i < PAGE_WORDS; i++)
            free(page->words[i].marks);
        free(page);
    }
    *memory = (marked_memory){0};
}

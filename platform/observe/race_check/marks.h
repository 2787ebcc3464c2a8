/* SPDX-License-Identifier: MIT */
/* The accesses to each word that may still be part of a race. */
#ifndef RACE_CHECK_MARKS_H
#define RACE_CHECK_MARKS_H

#include <stdint.h>

#define MARKS_MAX 8u            /* of a word */
#define MARKS_OF_INSTRUCTION 2u /* of a word, kind and instruction: lanes that read the same word */

enum mark_kind {
    MARK_LOAD,
    MARK_STORE,
    MARK_ATOMIC_READ,
    MARK_ATOMIC,  /* writes */
    MARK_RELEASE, /* the first store behind a fence */
    MARK_TRANSACTIONAL_LOAD,
    MARK_TRANSACTIONAL_STORE,
    MARK_KINDS
};

typedef struct mark {
    uint64_t number; /* of the report */
    uint64_t thread : 48;
    uint64_t kind : 8;
    uint64_t bytes : 8; /* of the word, a bit each */
    uint32_t pc;
    uint32_t value; /* of a plain store, at its bytes of the word */
} mark;

typedef struct marked_word {
    mark *marks;
    uint32_t count;
    uint32_t capacity;
} marked_word;

/* Can two accesses of these kinds be a race? */
uint32_t marks_conflict(uint32_t kind, uint32_t other);
/* Whatever would be a race with `other` later is one with `kind`. */
uint32_t marks_stand_for(uint32_t kind, uint32_t other);

/* Removes number i. */
void marks_remove(marked_word *word, uint32_t i);
/* Enters one; another gives way if there are too many: first_thread, threads are those of its block. */
void marks_add(marked_word *word, const mark *added, uint64_t first_thread, uint32_t threads);

/* Words by address. */
struct marked_page;
typedef struct marked_memory {
    struct marked_page *pages; /* by number */
    struct marked_page *latest;
} marked_memory;
marked_word *marks_of(marked_memory *memory, uint32_t address);
void marks_free(marked_memory *memory);

#endif

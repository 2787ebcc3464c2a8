/* SPDX-License-Identifier: MIT */
/* The words of a command that compiles CUDA: options of clang, those of nvcc that have a meaning here or none, and files. */
#ifndef HD_CUDA_WORDS_H
#define HD_CUDA_WORDS_H

#include "arena.h"

typedef struct word_list {
    const char **items;
    uint32_t count, capacity;
} word_list;

typedef struct cuda_words {
    arena memory;
    word_list both;   /* options for host and device */
    word_list host;   /* for the host's side only */
    word_list linker; /* options and files, in their order */
    word_list sources;
    const char *output; /* of -o; NULL: none */
    int is_object;      /* -c */
} cuda_words;

void word_list_add(arena *memory, word_list *list, const char *word);

/* Up to `count` words. 1, or 0 and one line in error. To be freed either way. */
int cuda_words_read(cuda_words *read, int count, char *const *words, char *error, size_t error_bytes);
void cuda_words_free(cuda_words *gone);

/* Is it the name of a source, and one in CUDA? */
int cuda_is_source(const char *name);
int cuda_is_cuda(const char *name);

#endif

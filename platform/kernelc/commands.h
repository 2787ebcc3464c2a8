/* SPDX-License-Identifier: MIT */
/* Programs that a compilation starts. */
#ifndef KERNELC_COMMANDS_H
#define KERNELC_COMMANDS_H

#include "stages.h"

#define WORDS_MAX 512u

/* The words that start a program. */
typedef struct command {
    const char *words[WORDS_MAX];
    uint32_t count;
} command;

void words_add(command *c, const char *word);
/* words: NULL at the end */
void words_add_all(command *c, const char *const *words);

/* The path of a file in the compilation's folder. */
const char *in_folder(const compilation *c, const char *name);

/* words: NULL at the end. *said: its output, which is in the arena. -1: it cannot be started, which is in the log. */
int run_words(compilation *c, const char *const *words, const char **said);
int run_command(compilation *c, const command *words, const char **said);
/* A step that does not depend on what the user has written: what it says is one line. */
kernelc_outcome run_step(compilation *c, const command *words);
kernelc_outcome conclude_step(compilation *c, const command *words, int code, const char *said);
kernelc_outcome step_fails(compilation *c, const char *why);
/* A compiler, of the user's file: the log is what it says. */
kernelc_outcome run_compiler(compilation *c, const command *words);

#endif

/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "other_program.h"

void words_add(command *c, const char *word)
{
    if (c->count + 1 < WORDS_MAX)
        c->words[c->count++] = word;
}

void words_add_all(command *c, const char *const *words)
{
    for (; *words; words++)
        words_add(c, *words);
}

const char *in_folder(const compilation *c, const char *name)
{
    return arena_format(c->memory, "%s/%s", c->folder, name);
}

int run_words(compilation *c, const char *const *words, const char **said)
{
    char *output;
    const int code = program_run(words, &output);
    *said = arena_copy(c->memory, output ? output : "", output ? strlen(output) : 0);
    free(output);
    if (code < 0 || code == 127)
        hd_text_add(&c->log, "%s cannot be started: %s\n", words[0], strerror(code < 0 ? errno : ENOENT));
    return code == 127 ? -1 : code;
}

int run_command(compilation *c, const command *words, const char **said)
{
    return run_words(c, words->words, said);
}

kernelc_outcome step_fails(compilation *c, const char *why)
{
    hd_text_add(&c->log, "%s\n", why);
    return KERNELC_FAILED;
}

kernelc_outcome conclude_step(compilation *c, const command *words, int code, const char *said)
{
    if (!code)
        return KERNELC_DONE;
    if (code > 0)
        hd_text_add(&c->log, "%s failed: %.*s\n", words->words[0], (int)strcspn(said, "\n"), said);
    return code < 0 ? KERNELC_MISSING : KERNELC_FAILED;
}

kernelc_outcome run_step(compilation *c, const command *words)
{
    const char *said;
    const int code = run_command(c, words, &said);
    return conclude_step(c, words, code, said);
}

kernelc_outcome run_compiler(compilation *c, const command *words)
{
    const char *said;
    const int code = run_command(c, words, &said);
    hd_text_add(&c->log, "%s", said);
    return !code ? KERNELC_DONE : code < 0 ? KERNELC_MISSING : code == 1 ? KERNELC_REFUSED : KERNELC_FAILED;
}

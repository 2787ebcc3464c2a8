/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Options of OpenCL 1.2, and those of clang that programs give. */
typedef struct known_option {
    const char *text;
    enum {
        ALONE,
        AND_MORE,
        AND_WORD
    } form;              /* the whole word; its beginning; its beginning, or the next word is its value */
    const char *instead; /* for clang; NULL: itself; "": nothing */
} known_option;

static const known_option known[] = {
    {"-D", AND_WORD, NULL},
    {"-U", AND_WORD, NULL},
    {"-I", AND_WORD, NULL},
    {"-w", ALONE, NULL},
    {"-Werror", ALONE, NULL},
    {"-W", AND_MORE, NULL},
    {"-f", AND_MORE, NULL},
    {"-O0", ALONE, ""},
    {"-O", AND_MORE, ""},
    {"-g", ALONE, "-debug-info-kind=limited"},
    {"-cl-std=CL1.0", ALONE, "-cl-std=CL1.0"},
    {"-cl-std=CL1.1", ALONE, "-cl-std=CL1.1"},
    {"-cl-std=CL1.2", ALONE, "-cl-std=CL1.2"},
    {"-cl-opt-disable", ALONE, ""},
    {"-cl-single-precision-constant", ALONE, NULL},
    {"-cl-denorms-are-zero", ALONE, NULL},
    {"-cl-fp32-correctly-rounded-divide-sqrt", ALONE, ""}, /* as it is */
    {"-cl-strict-aliasing", ALONE, ""},
    {"-cl-mad-enable", ALONE, NULL},
    {"-cl-no-signed-zeros", ALONE, NULL},
    {"-cl-unsafe-math-optimizations", ALONE, NULL},
    {"-cl-finite-math-only", ALONE, NULL},
    {"-cl-fast-relaxed-math", ALONE, NULL},
    {"-cl-kernel-arg-info", ALONE, ""}, /* always */
    {"-cl-nv-verbose", ALONE, ""},
    {"-cl-nv-maxrregcount=", AND_MORE, ""},
};

/* Those that a program is linked with. What they permit has been decided when it was compiled. */
static const known_option known_to_linker[] = {
    {"-create-library", ALONE, ""},
    {"-enable-link-options", ALONE, ""},
    {"-cl-denorms-are-zero", ALONE, ""},
    {"-cl-no-signed-zeros", ALONE, ""},
    {"-cl-unsafe-math-optimizations", ALONE, ""},
    {"-cl-finite-math-only", ALONE, ""},
    {"-cl-fast-relaxed-math", ALONE, ""},
};

typedef struct known_options {
    const known_option *rows;
    size_t count;
    const char *what; /* options they are */
} known_options;

typedef struct option_words {
    arena *memory;
    build_options *options;
    uint32_t capacity;
} option_words;

static void add(option_words *to, const char *word)
{
    build_options *options = to->options;
    options->words = arena_grow(to->memory, options->words, options->count, &to->capacity, sizeof *options->words);
    options->words[options->count++] = word;
}

/* The next word, without its quotes; NULL: there is none. *is_open: a quote does not end. */
static char *next_word(arena *memory, const char **text, int *is_open)
{
    const char *at = *text;
    char *word, *to, quote = '\0';
    while (isspace((unsigned char)*at))
        at++;
    if (!*at)
        return NULL;
    word = to = arena_copy(memory, at, strlen(at));
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
        if (*at == quote)
            quote = '\0';
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == '\\' && at[1] && quote != '\'')
            *to++ = *++at;
        else
            *to++ = *at;
    }
    *to = '\0';
    *text = at;
    *is_open = quote != '\0';
    return word;
}

static const known_option *find(const known_options *list, const char *word)
{
    for (const known_option *row = list->rows; row < list->rows + list->count; row++)
        if (row->form == ALONE ? !strcmp(word, row->text) : !strncmp(word, row->text, strlen(row->text)))
            return row;
    return NULL;
}

static int __attribute__((format(printf, 3, 4))) refuse(char *error, size_t error_bytes, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_bytes, format, arguments);
    va_end(arguments);
    return -1;
}

static int read_options(arena *memory, const known_options *list, const char *text, build_options *options, char *error,
                        size_t error_bytes)
{
    option_words to = {.memory = memory, .options = options};
    const char *word, *rest = text ? text : "";
    int is_open = 0;
    *options = (build_options){.is_fast = 1};
    while ((word = next_word(memory, &rest, &is_open))) {
        const known_option *option = find(list, word);
        if (is_open)
            return refuse(error, error_bytes, "%s options: a quotation mark is not closed: %s", list->what, word);
        if (!option)
            return refuse(error, error_bytes, "%s option '%s' is not known", list->what, word);
        if (!strcmp(word, "-cl-opt-disable") || !strcmp(word, "-O0"))
            options->is_fast = 0;
        options->is_silent |= !strcmp(word, "-w");
        options->makes_library |= !strcmp(word, "-create-library");
        if (!option->instead || *option->instead)
            add(&to, option->instead ? option->instead : word);
        if (option->form != AND_WORD || strcmp(word, option->text) != 0)
            continue;
        const char *value = next_word(memory, &rest, &is_open);
        if (!value)
            return refuse(error, error_bytes, "%s option '%s' lacks its value", list->what, word);
        if (is_open)
            return refuse(error, error_bytes, "%s options: a quotation mark is not closed: %s", list->what, value);
        add(&to, value);
    }
    return 0;
}

int build_options_read(arena *memory, const char *text, build_options *options, char *error, size_t error_bytes)
{
    static const known_options list = {known, COUNT_OF(known), "build"};
    return read_options(memory, &list, text, options, error, error_bytes);
}

int link_options_read(arena *memory, const char *text, build_options *options, char *error, size_t error_bytes)
{
    static const known_options list = {known_to_linker, COUNT_OF(known_to_linker), "link"};
    return read_options(memory, &list, text, options, error, error_bytes);
}

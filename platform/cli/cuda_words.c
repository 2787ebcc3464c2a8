/* SPDX-License-Identifier: MIT */
#include "cuda_words.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef enum word_form {
    ALONE,
    JOINED,          /* its beginning: -Wall */
    VALUE,           /* its value is the next word, or behind "=" */
    JOINED_OR_VALUE, /* -DX, -D X */
} word_form;

typedef enum word_use {
    TO_BOTH,
    TO_HOST,
    TO_LINKER,
    LIST_TO_HOST,   /* the value, a list with commas */
    LIST_TO_LINKER, /* likewise */
    NOWHERE,
    OUTPUT,
    OBJECT,
    REFUSED,
} word_use;

typedef struct known_word {
    const char *text;
    word_form form;
    word_use use;
    const char *instead; /* for the compiler; NULL: itself */
} known_word;

#define NO_DEVICE_CODE_OF_SEVERAL_FILES                                                                                \
    "device code of several files cannot be linked: give all that a kernel calls in one file"

/* The first that fits counts. */
static const known_word known[] = {
    {"-o", JOINED_OR_VALUE, OUTPUT, NULL},
    {"--output-file", VALUE, OUTPUT, NULL},
    {"-cudart", VALUE, NOWHERE, NULL},
    {"-ccbin", VALUE, NOWHERE, NULL},
    {"-code", VALUE, NOWHERE, NULL},
    {"-c", ALONE, OBJECT, NULL},
    {"-dc", ALONE, REFUSED, NO_DEVICE_CODE_OF_SEVERAL_FILES},
    {"-rdc=true", ALONE, REFUSED, NO_DEVICE_CODE_OF_SEVERAL_FILES},
    {"--relocatable-device-code=true", ALONE, REFUSED, NO_DEVICE_CODE_OF_SEVERAL_FILES},
    {"-ptx", ALONE, REFUSED, "there is no PTX"},
    {"-cubin", ALONE, REFUSED, "there are no cubins"},
    {"-cuda", ALONE, REFUSED, "the host's side alone is not written out"},
    {"-D", JOINED_OR_VALUE, TO_BOTH, NULL},
    {"-U", JOINED_OR_VALUE, TO_BOTH, NULL},
    {"-include", VALUE, TO_BOTH, NULL},
    {"-isystem", VALUE, TO_BOTH, NULL},
    {"-iquote", VALUE, TO_BOTH, NULL},
    {"-idirafter", VALUE, TO_BOTH, NULL},
    {"-I", JOINED_OR_VALUE, TO_BOTH, NULL},
    {"--std=c++11", ALONE, TO_BOTH, "-std=c++11"},
    {"--std=c++14", ALONE, TO_BOTH, "-std=c++14"},
    {"--std=c++17", ALONE, TO_BOTH, "-std=c++17"},
    {"-std", VALUE, TO_BOTH, NULL},
    {"-Xcompiler", VALUE, LIST_TO_HOST, NULL},
    {"--compiler-options", VALUE, LIST_TO_HOST, NULL},
    {"-Xlinker", VALUE, LIST_TO_LINKER, NULL},
    {"-Xptxas", VALUE, NOWHERE, NULL},
    {"--ptxas-options", VALUE, NOWHERE, NULL},
    {"-arch", VALUE, NOWHERE, NULL},
    {"--gpu-architecture", VALUE, NOWHERE, NULL},
    {"--gpu-code", VALUE, NOWHERE, NULL},
    {"-gencode", VALUE, NOWHERE, NULL},
    {"--generate-code", VALUE, NOWHERE, NULL},
    {"-maxrregcount", VALUE, NOWHERE, NULL},
    {"--maxrregcount", VALUE, NOWHERE, NULL},
    {"--cudart", VALUE, NOWHERE, NULL},
    {"--compiler-bindir", VALUE, NOWHERE, NULL},
    {"-rdc", VALUE, NOWHERE, NULL},
    {"-use_fast_math", ALONE, TO_BOTH, "-fcuda-approx-transcendentals"},
    {"--use_fast_math", ALONE, TO_BOTH, "-fcuda-approx-transcendentals"},
    {"-lineinfo", ALONE, NOWHERE, NULL},
    {"--generate-line-info", ALONE, NOWHERE, NULL},
    {"-G", ALONE, NOWHERE, NULL},
    {"-m64", ALONE, NOWHERE, NULL},
    {"-m32", ALONE, REFUSED, "the host is one of 64 bits"},
    {"--extended-lambda", ALONE, NOWHERE, NULL},
    {"-extended-lambda", ALONE, NOWHERE, NULL},
    {"--expt-extended-lambda", ALONE, NOWHERE, NULL},
    {"-expt-extended-lambda", ALONE, NOWHERE, NULL},
    {"--expt-relaxed-constexpr", ALONE, NOWHERE, NULL},
    {"-expt-relaxed-constexpr", ALONE, NOWHERE, NULL},
    {"-lcudart", ALONE, NOWHERE, NULL},
    {"-lcudart_static", ALONE, NOWHERE, NULL},
    {"-lcudadevrt", ALONE, NOWHERE, NULL},
    {"-lcuda", ALONE, NOWHERE, NULL},
    {"-lcublas", ALONE, REFUSED, "Heddle has no cuBLAS"},
    {"-lcufft", ALONE, REFUSED, "Heddle has no cuFFT"},
    {"-lcurand", ALONE, REFUSED, "Heddle has no cuRAND"},
    {"-lcusparse", ALONE, REFUSED, "Heddle has no cuSPARSE"},
    {"-l", JOINED_OR_VALUE, TO_LINKER, NULL},
    {"-L", JOINED_OR_VALUE, TO_LINKER, NULL},
    {"-Wl,", JOINED, TO_LINKER, NULL},
    {"-w", ALONE, TO_BOTH, NULL},
    {"-W", JOINED, TO_BOTH, NULL},
    {"-O", JOINED, TO_HOST, NULL},
    {"-g", JOINED, TO_HOST, NULL},
    {"-fopenmp", JOINED, TO_HOST, NULL},
    {"-f", JOINED, TO_BOTH, NULL},
    {"-pthread", ALONE, TO_HOST, NULL},
    {"-v", ALONE, NOWHERE, NULL},
    {"-x", VALUE, NOWHERE, NULL},
};

/* ---- Names of files -------------------------------------------------------------------------------------------------- */

static int ends_with(const char *name, const char *const *endings, size_t count)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < count; i++)
        if (!strcmp(dot, endings[i]))
            return 1;
    return 0;
}

int cuda_is_cuda(const char *name)
{
    static const char *const endings[] = {".cu"};
    return ends_with(name, endings, COUNT_OF(endings));
}

int cuda_is_source(const char *name)
{
    static const char *const endings[] = {".cu", ".c", ".cc", ".cpp", ".cxx", ".C"};
    return ends_with(name, endings, COUNT_OF(endings));
}

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

void word_list_add(arena *memory, word_list *list, const char *word)
{
    list->items = arena_grow(memory, list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = word;
}

static int fits(const known_word *word, const char *text)
{
    const size_t length = strlen(word->text);
    if (strncmp(text, word->text, length) != 0)
        return 0;
    switch (word->form) {
    case ALONE: return !text[length];
    case VALUE: return !text[length] || text[length] == '=';
    default: return 1;
    }
}

static const known_word *find(const char *text)
{
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (fits(&known[i], text))
            return &known[i];
    return NULL;
}

static void add_list(arena *memory, word_list *to, const char *list)
{
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        word_list_add(memory, to, arena_copy(memory, list, length));
    }
}

/* An option with its value, which is in its own word or the next. */
static void use(cuda_words *read, const known_word *word, const char *text, const char *value, int is_next)
{
    arena *memory = &read->memory;
    word_list *to = word->use == TO_BOTH ? &read->both : word->use == TO_HOST ? &read->host : &read->linker;
    switch (word->use) {
    case OUTPUT: read->output = value; break;
    case OBJECT: read->is_object = 1; break;
    case LIST_TO_HOST: add_list(memory, &read->host, value); break;
    case LIST_TO_LINKER: word_list_add(memory, &read->linker, arena_format(memory, "-Wl,%s", value)); break;
    case NOWHERE: break;
    default:
        word_list_add(memory, to, word->instead ? word->instead : text);
        if (is_next)
            word_list_add(memory, to, value);
    }
}

static int refuse(char *error, size_t error_bytes, const char *text, const char *why)
{
    snprintf(error, error_bytes, "%s: %s", text, why);
    return 0;
}

/* *i: the word; of its value, if that is the next one. */
static int read_option(cuda_words *read, int count, char *const *words, int *i, char *error, size_t error_bytes)
{
    const char *text = words[*i], *value = "";
    const known_word *word = find(text);
    int is_next = 0;
    if (!word)
        return refuse(error, error_bytes, text, "there is no such option");
    if (word->use == REFUSED)
        return refuse(error, error_bytes, text, word->instead);
    if (word->form == VALUE || word->form == JOINED_OR_VALUE) {
        value = text + strlen(word->text);
        is_next = !*value;
        value += *value == '=' && word->form == VALUE;
        if (is_next && *i + 1 >= count)
            return refuse(error, error_bytes, text, "its value is missing");
        if (is_next)
            value = words[++*i];
    }
    use(read, word, text, value, is_next);
    return 1;
}

int cuda_words_read(cuda_words *read, int count, char *const *words, char *error, size_t error_bytes)
{
    *read = (cuda_words){0};
    for (int i = 0; i < count; i++) {
        if (*words[i] == '-' && words[i][1]) {
            if (!read_option(read, count, words, &i, error, error_bytes))
                return 0;
        } else if (cuda_is_source(words[i])) {
            word_list_add(&read->memory, &read->sources, words[i]);
        } else {
            word_list_add(&read->memory, &read->linker, words[i]);
        }
    }
    return 1;
}

void cuda_words_free(cuda_words *gone)
{
    arena_free(&gone->memory);
}

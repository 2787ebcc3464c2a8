/* SPDX-License-Identifier: MIT */
#include "cuda_words.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define WORDS_MAX 16

/* What becomes of a command line: "both | host | linker | sources". */
static const struct {
    const char *line, *lists, *output;
    int is_object;
} rows[] = {
    {"a.cu", " |  |  | a.cu", NULL, 0},
    {"a.cu b.cpp c.c d.cc e.cxx f.C", " |  |  | a.cu b.cpp c.c d.cc e.cxx f.C", NULL, 0},
    {"a.cu b.o libc.a program", " |  | b.o libc.a program | a.cu", NULL, 0},
    {"x.cu.o .cu", " |  | x.cu.o | .cu", NULL, 0},
    {"- a.cu", " |  | - | a.cu", NULL, 0},
    {"-c a.cu -o b.o", " |  |  | a.cu", "b.o", 1},
    {"a.cu -ob", " |  |  | a.cu", "b", 0},
    {"--output-file=b a.cu", " |  |  | a.cu", "b", 0},
    {"-DA -D B=1 -UC -Ix -I y", "-DA -D B=1 -UC -Ix -I y |  |  | ", NULL, 0},
    {"-include a.h -std=c++14 --std=c++11 -w", "-include a.h -std=c++14 -std=c++11 -w |  |  | ", NULL, 0},
    {"-use_fast_math -ffast-math -Wall", "-fcuda-approx-transcendentals -ffast-math -Wall |  |  | ", NULL, 0},
    {"-O3 -g -fopenmp -pthread", " | -O3 -g -fopenmp -pthread |  | ", NULL, 0},
    {"-Xcompiler -fPIC,-O2 --compiler-options=-Wall", " | -fPIC -O2 -Wall |  | ", NULL, 0},
    {"-lm -l z -L. -L lib -Wl,-s -Xlinker -rpath,x", " |  | -lm -l z -L. -L lib -Wl,-s -Wl,-rpath,x | ", NULL, 0},
    {"-arch=sm_60 -arch sm_70 -gencode arch=a,code=b", " |  |  | ", NULL, 0},
    {"-Xptxas -v --ptxas-options=-v -maxrregcount 32", " |  |  | ", NULL, 0},
    {"-lcudart -lcuda -lineinfo -m64 -G -rdc=false", " |  |  | ", NULL, 0},
};

static uint32_t split(char *line, char **words)
{
    uint32_t count = 0;
    for (char *word = strtok(line, " "); word && count < WORDS_MAX; word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

static int read_line(cuda_words *read, const char *line, char *error, size_t bytes)
{
    static char copy[256];
    char *words[WORDS_MAX];
    snprintf(copy, sizeof copy, "%s", line);
    return cuda_words_read(read, (int)split(copy, words), words, error, bytes);
}

static void put(hd_text *out, const word_list *list, const char *behind)
{
    for (uint32_t i = 0; i < list->count; i++)
        hd_text_add(out, "%s%s", i ? " " : "", list->items[i]);
    hd_text_add(out, "%s", behind);
}

Test(cuda_words, are_for_both_compilers_or_one_or_the_linker)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cuda_words read;
        char error[256] = "";
        hd_text lists = {0};
        cr_assert(read_line(&read, rows[i].line, error, sizeof error), "%s: %s", rows[i].line, error);
        put(&lists, &read.both, " | ");
        put(&lists, &read.host, " | ");
        put(&lists, &read.linker, " | ");
        put(&lists, &read.sources, "");
        char *text = hd_text_take(&lists);
        cr_expect_str_eq(text, rows[i].lists, "%s: %s", rows[i].line, text);
        cr_expect(read.output ? rows[i].output && !strcmp(read.output, rows[i].output) : !rows[i].output, "%s",
                  rows[i].line);
        cr_expect_eq(read.is_object, rows[i].is_object, "%s", rows[i].line);
        free(text);
        cuda_words_free(&read);
    }
}

Test(cuda_words, that_cannot_be_followed_are_refused)
{
    static const char *const refused[][2] = {
        {"-o", "-o: its value is missing"},
        {"a.cu -D", "-D: its value is missing"},
        {"--nonsense a.cu", "--nonsense: there is no such option"},
        {"-cudart-of-mine", "-cudart-of-mine: there is no such option"},
        {"-dc a.cu", "-dc: device code of several files"},
        {"-rdc=true a.cu", "-rdc=true: device code of several files"},
        {"-ptx a.cu", "-ptx: there is no PTX"},
        {"-m32 a.cu", "-m32: the host is one of 64 bits"},
        {"-lcufft a.cu", "-lcufft: Heddle has no cuFFT"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cuda_words read;
        char error[256] = "";
        cr_expect_not(read_line(&read, refused[i][0], error, sizeof error), "%s", refused[i][0]);
        cr_expect_eq(strncmp(error, refused[i][1], strlen(refused[i][1])), 0, "%s", error);
        cuda_words_free(&read);
    }
}

Test(cuda_words, name_sources_by_their_endings)
{
    cr_expect(cuda_is_cuda("a.cu") && cuda_is_cuda("x/y.z.cu"));
    cr_expect_not(cuda_is_cuda("a.cuh") || cuda_is_cuda("cu") || cuda_is_cuda("a.cpp"));
    cr_expect(cuda_is_source("a.cu") && cuda_is_source("a.c"));
    cr_expect_not(cuda_is_source("a.o") || cuda_is_source("a") || cuda_is_source("a.c.o"));
}

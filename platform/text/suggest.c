/* SPDX-License-Identifier: MIT */
#include "diagnostics.h"

#include <string.h>

#define SUGGESTIONS_MAX 3u
#define LISTED_MAX 16u
#define WORD_MAX 63u

void candidates_add(arena *memory, candidates *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->names[i], name))
            return;
    list->names = arena_grow(memory, list->names, list->count, &list->capacity, sizeof *list->names);
    list->names[list->count++] = name;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
static uint32_t distance(const char *a, const char *b)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > WORD_MAX || length_b > WORD_MAX)
        return UINT32_MAX;
    uint32_t table[WORD_MAX + 1][WORD_MAX + 1];
    for (uint32_t i = 0; i <= length_a; i++)
        table[i][0] = i;
    for (uint32_t j = 0; j <= length_b; j++)
        table[0][j] = j;
    for (uint32_t i = 1; i <= length_a; i++) {
        for (uint32_t j = 1; j <= length_b; j++) {
            uint32_t best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = smaller(best, smaller(table[i - 1][j], table[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, table[i - 2][j - 2] + 1);
            table[i][j] = best;
        }
    }
    return table[length_a][length_b];
}

static void write_names(diagnostics *log, const char *lead, const char *const *names, uint32_t count, const char *last,
                        const char *end)
{
    if (log->errors > REPORTED_ERRORS_MAX)
        return;
    fprintf(log->out, "note: %s", lead);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(log->out, "%s'", i == 0 ? "" : i + 1 == count ? last : ", ");
        report_word(log->out, names[i]);
        fputc('\'', log->out);
    }
    fputs(end, log->out);
}

int candidates_suggest(diagnostics *log, const char *word, const candidates *list)
{
    const char *nearest[SUGGESTIONS_MAX];
    uint32_t distances[SUGGESTIONS_MAX];
    uint32_t count = 0;
    uint32_t limit = 1 + (uint32_t)strlen(word) / 4;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t far = distance(word, list->names[i]);
        if (far > limit)
            continue;
        uint32_t place = count < SUGGESTIONS_MAX ? count++ : SUGGESTIONS_MAX;
        for (; place > 0 && distances[place - 1] > far; place--) {
            if (place < SUGGESTIONS_MAX) {
                nearest[place] = nearest[place - 1];
                distances[place] = distances[place - 1];
            }
        }
        if (place < SUGGESTIONS_MAX) {
            nearest[place] = list->names[i];
            distances[place] = far;
        }
    }
    int lists_all = !count && list->count && list->count <= LISTED_MAX;
    if (count)
        write_names(log, "did you mean ", nearest, count, " or ", "?\n");
    else if (lists_all)
        write_names(log, "known here: ", list->names, list->count, ", ", "\n");
    return lists_all;
}

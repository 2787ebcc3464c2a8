/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "profile_view.h"

#define SLOTS "slots_"

uint32_t profile_view_column(const profile_view *view, const char *name)
{
    for (uint32_t i = 0; i < view->column_count; i++)
        if (!strcmp(view->columns[i].name, name))
            return i;
    return UINT32_MAX;
}

uint32_t profile_view_is_slots(const profile_column *column)
{
    return !strncmp(column->name, SLOTS, strlen(SLOTS));
}

uint64_t profile_view_part(const profile_view *view, const uint64_t *counts)
{
    uint64_t slots = 0;
    if (!view->has_slots)
        return profile_view_count(view, counts, "warp_instructions");
    for (uint32_t i = 0; i < view->column_count; i++)
        slots += profile_view_is_slots(&view->columns[i]) ? counts[i] : 0;
    return slots;
}

double profile_view_share(const profile_view *view, const uint64_t *counts)
{
    return profile_view_percent(profile_view_part(view, counts), view->whole);
}

uint64_t profile_view_count(const profile_view *view, const uint64_t *counts, const char *name)
{
    const uint32_t column = profile_view_column(view, name);
    return column == UINT32_MAX ? 0 : counts[column];
}

static int compare_texts(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int by_function(const void *a, const void *b)
{
    const profile_row *one = a, *other = b;
    const int order = compare_texts(one->function, other->function);
    return order ? order : (one->pc > other->pc) - (one->pc < other->pc);
}

/* What has no line is told apart by its function. */
static int by_line(const void *a, const void *b)
{
    const profile_row *one = a, *other = b;
    int order = compare_texts(one->file, other->file);
    if (!order)
        order = one->file ? (one->line > other->line) - (one->line < other->line)
                          : compare_texts(one->function, other->function);
    return order ? order : (one->pc > other->pc) - (one->pc < other->pc);
}

static uint32_t is_same(const profile_row *a, const profile_row *b, enum profile_grouping by)
{
    if (by == PROFILE_BY_FUNCTION || (!a->file && !b->file))
        return !compare_texts(a->function, b->function);
    return !compare_texts(a->file, b->file) && a->line == b->line;
}

void profile_view_group(profile_view *view, enum profile_grouping by)
{
    uint32_t kept = 0;
    if (by == PROFILE_BY_INSTRUCTION || !view->row_count)
        return;
    qsort(view->rows, view->row_count, sizeof *view->rows, by == PROFILE_BY_LINE ? by_line : by_function);
    for (uint32_t i = 1; i < view->row_count; i++) {
        if (!is_same(&view->rows[kept], &view->rows[i], by)) {
            view->rows[++kept] = view->rows[i];
            continue;
        }
        for (uint32_t column = 0; column < view->column_count; column++)
            view->rows[kept].counts[column] += view->rows[i].counts[column];
    }
    view->row_count = kept + 1;
}

typedef struct ranked {
    uint64_t rank;
    profile_row row;
} ranked;

static int by_rank(const void *a, const void *b)
{
    const ranked *one = a, *other = b;
    if (one->rank != other->rank)
        return one->rank < other->rank ? 1 : -1;
    return (one->row.pc > other->row.pc) - (one->row.pc < other->row.pc);
}

void profile_view_sort(profile_view *view, uint32_t column)
{
    ranked *rows = calloc(view->row_count + 1, sizeof *rows);
    if (!rows)
        abort();
    for (uint32_t i = 0; i < view->row_count; i++) {
        const uint64_t *counts = view->rows[i].counts;
        rows[i] = (ranked){.rank = column == PROFILE_BY_SHARE ? profile_view_part(view, counts) : counts[column],
                           .row = view->rows[i]};
    }
    qsort(rows, view->row_count, sizeof *rows, by_rank);
    for (uint32_t i = 0; i < view->row_count; i++)
        view->rows[i] = rows[i].row;
    free(rows);
}

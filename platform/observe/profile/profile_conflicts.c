/* SPDX-License-Identifier: MIT */
/* Which accesses of transactions were refused because of which. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "profile_view.h"
#include "results.h"

#define PLACE_BYTES 96u
#define UNKNOWN "(not known)"

static const profile_row *place_of(const profile_view *view, const json_t *pc)
{
    for (uint32_t i = 0; i < view->row_count; i++)
        if (json_is_integer(pc) && view->places[i].pc == (uint32_t)json_integer_value(pc))
            return &view->places[i];
    return NULL;
}

uint32_t profile_conflicts_read(profile_view *view, const struct json_t *conflicts)
{
    const size_t count = json_array_size(conflicts);
    view->conflicts = calloc(count + 1, sizeof *view->conflicts);
    view->places = calloc(view->row_count + 1, sizeof *view->places);
    if (!view->conflicts || !view->places)
        abort();
    memcpy(view->places, view->rows, view->row_count * sizeof *view->places);
    for (size_t i = 0; i < count; i++) {
        const json_t *conflict = json_array_get(conflicts, i), *lanes = json_object_get(conflict, "lanes");
        if (!json_is_integer(lanes) || json_integer_value(lanes) < 0)
            return 0;
        view->conflicts[view->conflict_count++] =
            (profile_conflict){.lanes = (uint64_t)json_integer_value(lanes),
                               .row = place_of(view, json_object_get(conflict, "pc")),
                               .winner = place_of(view, json_object_get(conflict, "winner_pc"))};
    }
    return 1;
}

/* A pair of places as they are grouped. */
typedef struct place_pair {
    char loser[PLACE_BYTES], winner[PLACE_BYTES];
    const profile_conflict *first;
    uint64_t lanes;
} place_pair;

static void name(const profile_row *row, const profile_layout *look, char *text)
{
    if (row)
        profile_view_name(row, look->by, text, PLACE_BYTES);
    else
        snprintf(text, PLACE_BYTES, UNKNOWN);
}

static int by_lanes(const void *a, const void *b)
{
    const place_pair *one = a, *other = b;
    if (one->lanes != other->lanes)
        return one->lanes < other->lanes ? 1 : -1;
    const int order = strcmp(one->loser, other->loser);
    return order ? order : strcmp(one->winner, other->winner);
}

static uint32_t collect(const profile_view *view, const profile_layout *look, place_pair *pairs)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->conflict_count; i++) {
        const profile_conflict *conflict = &view->conflicts[i];
        place_pair pair = {.first = conflict};
        uint32_t at = 0;
        name(conflict->row, look, pair.loser);
        name(conflict->winner, look, pair.winner);
        while (at < count && (strcmp(pairs[at].loser, pair.loser) != 0 || strcmp(pairs[at].winner, pair.winner) != 0))
            at++;
        if (at == count)
            pairs[count++] = pair;
        pairs[at].lanes += conflict->lanes;
    }
    if (count)
        qsort(pairs, count, sizeof *pairs, by_lanes);
    return count;
}

static void put_csv(const place_pair *pairs, uint32_t count, FILE *out)
{
    fputs("file,line,function,pc,winner_file,winner_line,winner_function,winner_pc,lanes\n", out);
    for (uint32_t i = 0; i < count; i++) {
        profile_put_csv_place(pairs[i].first->row, out);
        fputc(',', out);
        profile_put_csv_place(pairs[i].first->winner, out);
        fprintf(out, ",%llu\n", (unsigned long long)pairs[i].lanes);
    }
}

static void put_table(const profile_view *view, const profile_layout *look, const place_pair *pairs, uint32_t count,
                      FILE *out)
{
    char lanes[HD_QUANTITY_BYTES];
    uint64_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all += pairs[i].lanes;
    fprintf(out, "CONFLICTS  %s on %s (%s): %s aborts because of another attempt's access\n\n", view->app,
            view->machine, view->status, hd_print_count(lanes, all));
    fprintf(out, "%6s %12s  %-32s %s\n", "share", "aborts", "refused", "because of");
    for (uint32_t i = 0; i < count && i < look->top; i++)
        fprintf(out, "%5.1f%% %12s  %-32s %s\n", profile_view_percent(pairs[i].lanes, all),
                hd_print_count(lanes, pairs[i].lanes), pairs[i].loser, pairs[i].winner);
    if (count > look->top)
        fprintf(out, "%u more; --top says how many are shown\n", count - look->top);
}

void profile_conflicts_print(profile_view *view, const profile_layout *look, uint32_t csv, FILE *out)
{
    place_pair *pairs = calloc(view->conflict_count + 1, sizeof *pairs);
    if (!pairs)
        abort();
    const uint32_t count = collect(view, look, pairs);
    if (csv)
        put_csv(pairs, count, out);
    else
        put_table(view, look, pairs, count, out);
    free(pairs);
}

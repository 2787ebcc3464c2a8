/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "profile_view.h"
#include "results.h"

#define CAUSES 2u         /* shown of a row */
#define CAUSE_PERCENT 5.0 /* of its slots, at least */
#define PLACE_BYTES 96u
#define REASONS "tx_aborts_"
#define SOURCE_COLUMNS 48 /* of a source line */

double profile_view_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static uint32_t is_among(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (!strcmp(name, *names))
            return 1;
    return 0;
}

/* ---- What slots were lost to -------------------------------------------------------------------------------------- */

/* "slots_memory_data" -> "memory data" */
static void put_cause(FILE *out, const char *name)
{
    for (name += strncmp(name, REASONS, strlen(REASONS)) ? strlen("slots_") : strlen(REASONS); *name; name++)
        fputc(*name == '_' ? ' ' : *name, out);
}

static uint32_t is_reason(const profile_column *column)
{
    return !strncmp(column->name, REASONS, strlen(REASONS));
}

static uint32_t is_cause(const profile_column *column)
{
    static const char *const used[] = {"slots_issued", "slots_port_busy", NULL};
    return profile_view_is_slots(column) && !is_among(column->name, used);
}

/* The column with the most of these that is below `than`; UINT32_MAX: none. */
static uint32_t next_cause(const profile_view *view, uint32_t (*is_one)(const profile_column *), const uint64_t *counts,
                           uint32_t than)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < view->column_count; i++) {
        if (!is_one(&view->columns[i]) || !counts[i])
            continue;
        if (than != UINT32_MAX && (counts[i] > counts[than] || (counts[i] == counts[than] && i <= than)))
            continue;
        if (best == UINT32_MAX || counts[i] > counts[best])
            best = i;
    }
    return best;
}

/* The largest of these columns, as shares of the whole. */
static void list_causes(const profile_view *view, uint32_t (*is_one)(const profile_column *), const uint64_t *counts,
                        uint64_t whole, char *text, size_t bytes)
{
    FILE *out = fmemopen(text, bytes, "w");
    uint32_t cause = UINT32_MAX;
    if (!out)
        abort();
    *text = '\0'; /* nothing may be written */
    for (uint32_t i = 0; i < CAUSES; i++) {
        cause = next_cause(view, is_one, counts, cause);
        if (cause == UINT32_MAX || profile_view_percent(counts[cause], whole) < CAUSE_PERCENT)
            break;
        fputs(i ? ", " : "", out);
        put_cause(out, view->columns[cause].name);
        fprintf(out, " %.0f%%", profile_view_percent(counts[cause], whole));
    }
    fclose(out);
    text[bytes - 1] = '\0';
}

void profile_view_causes(const profile_view *view, const uint64_t *counts, char *text, size_t bytes)
{
    list_causes(view, is_cause, counts, profile_view_part(view, counts), text, bytes);
}

/* ---- The table ---------------------------------------------------------------------------------------------------- */

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

void profile_view_name(const profile_row *row, enum profile_grouping by, char *text, size_t bytes)
{
    const char *function = row->function ? row->function : "?";
    if (by == PROFILE_BY_FUNCTION)
        snprintf(text, bytes, "%s", function);
    else if (by == PROFILE_BY_INSTRUCTION && row->file)
        snprintf(text, bytes, "0x%08x %s:%u", row->pc, base_name(row->file), row->line);
    else if (by == PROFILE_BY_INSTRUCTION)
        snprintf(text, bytes, "0x%08x %s", row->pc, function);
    else if (row->file)
        snprintf(text, bytes, "%s:%u", base_name(row->file), row->line);
    else
        snprintf(text, bytes, "%s (no line)", function);
}

/* Columns that this page knows nothing of, with something in them: a column of their own. */
static uint32_t is_further(const profile_column *column)
{
    static const char *const known[] = {"warp_instructions", "thread_instructions", "lost_lanes",
                                        "wait_cycles",       "taken_lanes",         NULL};
    return column->total && !profile_view_is_slots(column) && !is_reason(column) && !is_among(column->name, known);
}

static int further_width(const profile_column *column)
{
    const int width = (int)strlen(column->name);
    return width < 12 ? 12 : width;
}

static uint32_t has_reasons(const profile_view *view)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < view->column_count; i++)
        found |= is_reason(&view->columns[i]) && view->columns[i].total;
    return found;
}

static void put_head(const profile_view *view, const profile_layout *look, FILE *out)
{
    static const char *const places[] = {"line", "function", "instruction"};
    fprintf(out, "%6s %12s %6s %14s", view->has_slots ? "slots" : "share", "issued", "SIMD", "lost lanes");
    if (view->has_slots)
        fprintf(out, " %8s", "wait");
    for (uint32_t i = 0; i < view->column_count; i++)
        if (is_further(&view->columns[i]))
            fprintf(out, " %*s", further_width(&view->columns[i]), view->columns[i].name);
    if (view->has_slots)
        fprintf(out, "  %-32s", "lost to");
    if (has_reasons(view))
        fprintf(out, " %-32s", "aborted for");
    fprintf(out, "%s%s\n", view->has_slots ? " " : "  ", places[look->by]);
}

/* One source file is kept, since the hottest lines tend to be of one. */
typedef struct kept_source {
    const char *file;
    source_lines lines;
} kept_source;

static const char *source_of(kept_source *kept, const profile_layout *look, const profile_row *row)
{
    if (look->by == PROFILE_BY_INSTRUCTION)
        return row->text;
    if (look->by == PROFILE_BY_FUNCTION || !row->file)
        return "";
    if (!kept->file || strcmp(kept->file, row->file) != 0) {
        profile_source_free(&kept->lines);
        profile_source_read(&kept->lines, look->sources, row->file);
        kept->file = row->file;
    }
    const char *text = profile_source_line(&kept->lines, row->line);
    return text ? text + strspn(text, " \t") : "";
}

static void put_instructions(const profile_view *view, const profile_row *row, FILE *out)
{
    char issued[HD_QUANTITY_BYTES], lanes[HD_QUANTITY_BYTES];
    const uint64_t instructions = profile_view_count(view, row->counts, "warp_instructions");
    const uint64_t threads = profile_view_count(view, row->counts, "thread_instructions");
    const uint64_t lost = profile_view_count(view, row->counts, "lost_lanes");
    const uint64_t wait = profile_view_count(view, row->counts, "wait_cycles");
    fprintf(out, "%5.1f%% %12s", profile_view_share(view, row->counts), hd_print_count(issued, instructions));
    if (instructions)
        fprintf(out, " %5.1f%% %14s", profile_view_percent(threads, threads + lost), hd_print_count(lanes, lost));
    else
        fprintf(out, " %6s %14s", "-", "-");
    if (view->has_slots && instructions)
        fprintf(out, " %8.0f", (double)wait / (double)instructions);
    else if (view->has_slots)
        fprintf(out, " %8s", "-");
}

static void put_row(const profile_view *view, const profile_layout *look, const profile_row *row, const char *source,
                    FILE *out)
{
    char count[HD_QUANTITY_BYTES], causes[64], place[PLACE_BYTES];
    put_instructions(view, row, out);
    for (uint32_t i = 0; i < view->column_count; i++)
        if (is_further(&view->columns[i]))
            fprintf(out, " %*s", further_width(&view->columns[i]), hd_print_count(count, row->counts[i]));
    if (view->has_slots) {
        profile_view_causes(view, row->counts, causes, sizeof causes);
        fprintf(out, "  %-32s", causes);
    }
    if (has_reasons(view)) {
        list_causes(view, is_reason, row->counts, profile_view_count(view, row->counts, "tx_aborts"), causes,
                    sizeof causes);
        fprintf(out, " %-32s", causes);
    }
    profile_view_name(row, look->by, place, sizeof place);
    fprintf(out, "%s%-*s", view->has_slots ? " " : "  ", *source ? 20 : 0, place);
    if (*source)
        fprintf(out, "  %.*s", SOURCE_COLUMNS, source);
    fputc('\n', out);
}

static void put_headline(const profile_view *view, FILE *out)
{
    char instructions[HD_QUANTITY_BYTES], slots[HD_QUANTITY_BYTES];
    const uint32_t lost = profile_view_column(view, "lost_lanes"),
                   threads = profile_view_column(view, "thread_instructions");
    const uint32_t issued = profile_view_column(view, "warp_instructions");
    fprintf(out, "PROFILE  %s on %s (%s): %s warp instructions", view->app, view->machine, view->status,
            hd_print_count(instructions, issued == UINT32_MAX ? 0 : view->columns[issued].total));
    if (lost != UINT32_MAX && threads != UINT32_MAX)
        fprintf(out, ", SIMD %.1f%%",
                profile_view_percent(view->columns[threads].total,
                                     view->columns[threads].total + view->columns[lost].total));
    if (view->has_slots)
        fprintf(out, ", %s issue slots", hd_print_count(slots, view->whole));
    fputs(view->has_slots ? "\n" : "\n\n", out);
}

static void put_stack(const profile_view *view, FILE *out)
{
    uint32_t shown = 0;
    for (uint32_t i = 0; i < view->column_count; i++) {
        const profile_column *column = &view->columns[i];
        if (!profile_view_is_slots(column))
            continue;
        fputs(shown % 6 ? "  " : "         ", out);
        put_cause(out, column->name);
        fprintf(out, " %.1f%%%s", profile_view_percent(column->total, view->whole), ++shown % 6 ? "" : "\n");
    }
    fputs(shown % 6 ? "\n\n" : "\n", out);
}

void profile_view_print(const profile_view *view, const profile_layout *look, FILE *out)
{
    kept_source kept = {0};
    uint64_t rest = 0;
    put_headline(view, out);
    if (view->has_slots)
        put_stack(view, out);
    put_head(view, look, out);
    for (uint32_t i = 0; i < view->row_count; i++) {
        if (i < look->top)
            put_row(view, look, &view->rows[i], source_of(&kept, look, &view->rows[i]), out);
        else
            rest += profile_view_part(view, view->rows[i].counts);
    }
    profile_source_free(&kept.lines);
    if (view->row_count > look->top)
        fprintf(out, "%5.1f%%  %u more; --top says how many are shown\n", profile_view_percent(rest, view->whole),
                view->row_count - look->top);
    if (view->has_slots)
        fprintf(out, "%5.1f%%  no path that could have issued\n", profile_view_share(view, view->elsewhere));
}

/* ---- Comma-separated ---------------------------------------------------------------------------------------------- */

void profile_put_csv_place(const profile_row *row, FILE *out)
{
    csv_put_field(out, row && row->file ? row->file : "");
    fputc(',', out);
    if (row && row->file)
        fprintf(out, "%u", row->line);
    fputc(',', out);
    csv_put_field(out, row && row->function ? row->function : "");
    fputc(',', out);
    if (row)
        fprintf(out, "0x%08x", row->pc);
}

static void put_csv_row(const profile_view *view, const profile_row *row, const uint64_t *counts, FILE *out)
{
    profile_put_csv_place(row, out);
    for (uint32_t i = 0; i < view->column_count; i++)
        fprintf(out, ",%llu", (unsigned long long)counts[i]);
    fputc('\n', out);
}

void profile_view_print_csv(const profile_view *view, FILE *out)
{
    fputs("file,line,function,pc", out);
    for (uint32_t i = 0; i < view->column_count; i++)
        fprintf(out, ",%s", view->columns[i].name);
    fputc('\n', out);
    for (uint32_t i = 0; i < view->row_count; i++)
        put_csv_row(view, &view->rows[i], view->rows[i].counts, out);
    put_csv_row(view, NULL, view->elsewhere, out);
}

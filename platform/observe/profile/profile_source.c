/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "profile_view.h"
#include "results.h"

#define CONTEXT_LINES 2u /* shown around a line with counts */
#define SOURCE_BYTES_MAX (16u << 20)

/* To be freed; NULL: it is not there, or no text. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(SOURCE_BYTES_MAX + 1) : NULL;
    const size_t bytes = text ? fread(text, 1, SOURCE_BYTES_MAX, file) : 0;
    if (text)
        text[bytes] = '\0';
    if (text && (ferror(file) || !bytes)) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static void split(source_lines *source)
{
    uint32_t count = 1;
    for (const char *at = source->text; (at = strchr(at, '\n')); at++)
        count++;
    source->lines = calloc(count, sizeof *source->lines);
    if (!source->lines)
        abort();
    for (char *rest = source->text; rest;)
        source->lines[source->count++] = strsep(&rest, "\n");
}

uint32_t profile_source_read(source_lines *source, const char *folder, const char *file)
{
    char *path = NULL;
    size_t bytes;
    *source = (source_lines){0};
    if (*file != '/' && strcmp(folder, ".") != 0) {
        FILE *out = open_memstream(&path, &bytes);
        if (!out)
            abort();
        fprintf(out, "%s/%s", folder, file);
        fclose(out);
    }
    source->text = read_text(path ? path : file);
    free(path);
    if (source->text)
        split(source);
    return source->text != NULL;
}

void profile_source_free(source_lines *source)
{
    free(source->lines);
    free(source->text);
    *source = (source_lines){0};
}

const char *profile_source_line(const source_lines *source, uint32_t line)
{
    return line && line <= source->count ? source->lines[line - 1] : NULL;
}

/* Rows of the file by line; those of the view are sorted otherwise. */
static const profile_row **rows_of_file(const profile_view *view, const char *file, uint32_t lines)
{
    const profile_row **rows = calloc((size_t)lines + 1, sizeof *rows);
    if (!rows)
        abort();
    for (uint32_t i = 0; i < view->row_count; i++) {
        const profile_row *row = &view->rows[i];
        if (row->file && !strcmp(row->file, file) && row->line <= lines)
            rows[row->line] = row;
    }
    return rows;
}

static uint32_t is_near(const profile_row **rows, uint32_t lines, uint32_t line)
{
    const uint32_t first = line > CONTEXT_LINES ? line - CONTEXT_LINES : 1;
    for (uint32_t i = first; i <= line + CONTEXT_LINES && i <= lines; i++)
        if (rows[i])
            return 1;
    return 0;
}

static void put_line(const profile_view *view, const profile_row *row, uint32_t line, const char *text, FILE *out)
{
    char causes[32] = "", issued[HD_QUANTITY_BYTES];
    if (!row) {
        fprintf(out, "%56s %5u  %s\n", "", line, text);
        return;
    }
    const uint64_t threads = profile_view_count(view, row->counts, "thread_instructions");
    const uint64_t lost = profile_view_count(view, row->counts, "lost_lanes");
    profile_view_causes(view, row->counts, causes, sizeof causes);
    hd_print_count(issued, profile_view_count(view, row->counts, "warp_instructions"));
    fprintf(out, "%5.1f%% %12s", profile_view_share(view, row->counts), issued);
    if (threads + lost)
        fprintf(out, " %5.1f%%", profile_view_percent(threads, threads + lost));
    else
        fprintf(out, " %6s", "-");
    fprintf(out, " %-29.29s %5u  %s\n", causes, line, text);
}

static void annotate(const profile_view *view, const char *file, const source_lines *source, FILE *out)
{
    const profile_row **rows = rows_of_file(view, file, source->count);
    uint32_t is_left_out = 0;
    fprintf(out, "\n%s\n%6s %12s %6s %-29s %5s\n", file, view->has_slots ? "slots" : "share", "issued", "SIMD",
            view->has_slots ? "lost to" : "", "line");
    for (uint32_t line = 1; line <= source->count; line++) {
        if (!is_near(rows, source->count, line)) {
            is_left_out = 1;
            continue;
        }
        if (is_left_out)
            fprintf(out, "%56s %5s\n", "", "...");
        is_left_out = 0;
        put_line(view, rows[line], line, profile_source_line(source, line), out);
    }
    free(rows);
}

static uint32_t is_first_of_file(const profile_view *view, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (view->rows[i].file && !strcmp(view->rows[i].file, view->rows[index].file))
            return 0;
    return 1;
}

void profile_view_annotate(const profile_view *view, const profile_layout *look, FILE *out)
{
    for (uint32_t i = 0; i < view->row_count; i++) {
        const char *file = view->rows[i].file;
        source_lines source;
        if (!file || !is_first_of_file(view, i))
            continue;
        if (profile_source_read(&source, look->sources, file))
            annotate(view, file, &source, out);
        else
            fprintf(out, "\n%s\n  is not there; --sources DIR says from which folder its name goes\n", file);
        profile_source_free(&source);
    }
}

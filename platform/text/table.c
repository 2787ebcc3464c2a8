/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <ctype.h>
#include <string.h>

#include "utf8.h"

void table_row(table *target, const char *const *cells)
{
    target->cells = arena_grow(target->memory, target->cells, target->rows, &target->capacity, sizeof *target->cells);
    for (uint32_t c = 0; c < target->columns; c++)
        target->cells[target->rows][c] = cells[c] ? cells[c] : "";
    target->rows++;
}

static void write_text(const table *source, const char *indent, FILE *out)
{
    int widths[TABLE_COLUMNS_MAX] = {0};
    for (uint32_t r = 0; r < source->rows; r++) {
        for (uint32_t c = 0; c < source->columns; c++) {
            int length = (int)utf8_columns(source->cells[r][c], strlen(source->cells[r][c]));
            widths[c] = length > widths[c] ? length : widths[c];
        }
    }
    for (uint32_t r = 0; r < source->rows; r++) {
        uint32_t last = source->columns;
        while (last > 1 && !*source->cells[r][last - 1])
            last--;
        fputs(indent, out);
        for (uint32_t c = 0; c + 1 < last; c++)
            fprintf(out, "%-*s  ", widths[c], source->cells[r][c]);
        fprintf(out, "%s\n", source->cells[r][last - 1]);
    }
}

void table_write_markdown(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '|' || *text == '<' || *text == '*' || *text == '_')
            fputc('\\', out);
        fputc(*text, out);
    }
}

void table_write_heading(const char *name, const char *text, FILE *out)
{
    fprintf(out, "## %s\n\n%c", name, toupper((unsigned char)*text));
    table_write_markdown(*text ? text + 1 : text, out);
    fputs(".\n\n", out);
}

static void write_markdown(const table *source, FILE *out)
{
    for (uint32_t c = 0; c < source->columns; c++)
        fprintf(out, "| %s ", source->titles[c]);
    fputs("|\n", out);
    for (uint32_t c = 0; c < source->columns; c++)
        fputs("|---", out);
    fputs("|\n", out);
    for (uint32_t r = 0; r < source->rows; r++) {
        for (uint32_t c = 0; c < source->columns; c++) {
            fputs(c ? " " : "| `", out);
            if (c)
                table_write_markdown(source->cells[r][c], out);
            else
                fputs(source->cells[r][c], out);
            fputs(c ? " |" : "` |", out);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

void table_write(const table *source, const char *title, const char *indent, enum text_format format, FILE *out)
{
    if (!source->rows)
        return;
    if (format == TEXT_MARKDOWN) {
        if (title)
            fprintf(out, "**%s**\n\n", title);
        write_markdown(source, out);
        return;
    }
    if (title)
        fprintf(out, "  %s\n", title);
    write_text(source, indent, out);
}

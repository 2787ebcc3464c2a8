/* SPDX-License-Identifier: MIT */
#include "report_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store_errors.h"
#include "text.h"

static char *missing(const char *path)
{
    return store_error_text(STORE_ERROR_PARTS, "%s: %s; './bootstrap.sh install' and the build put it there", path,
                            strerror(errno));
}

/* To be freed; NULL and *error. */
static char *file_text(const char *folder, const char *name, char **error)
{
    char *path = hd_text_format("%s/%s", folder, name), *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &size, '\0', file) < 0) {
        *error = missing(path);
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    free(path);
    return text;
}

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else
            fputc(*text, out);
    }
}

static int put_file(FILE *out, const char *folder, const char *kind, const char *name, char **error)
{
    char *text = file_text(folder, name, error);
    if (!text)
        return 0;
    if (!strcmp(kind, "text"))
        put_escaped(out, text);
    else
        fprintf(out, "<%s>\n%s</%s>\n", kind, text, kind);
    free(text);
    return 1;
}

char *report_data_text(const json_t *data)
{
    char *plain = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15)), *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!plain || !out)
        abort();
    for (const char *at = plain; *at; at++) {
        if (*at == '<')
            fputs("\\u003c", out);
        else
            fputc(*at, out);
    }
    fclose(out);
    free(plain);
    return text;
}

static void put_data(FILE *out, const json_t *data)
{
    char *text = report_data_text(data);
    fprintf(out, "<script type=\"application/json\" id=\"data\">%s</script>\n", text);
    free(text);
}

static int put_line(FILE *out, const char *folder, const json_t *data, const char *line, char **error)
{
    char kind[16], name[128];
    if (!strcmp(line, "<!-- insert data -->")) {
        put_data(out, data);
        return 1;
    }
    if (sscanf(line, "<!-- insert %15s %127s -->", kind, name) == 2)
        return put_file(out, folder, kind, name, error);
    fprintf(out, "%s\n", line);
    return 1;
}

char *report_page(const char *folder, const json_t *data, size_t *bytes, char **error)
{
    char *page = NULL, *text = file_text(folder, "page.html", error), *rest = text, *line;
    int good = text != NULL;
    FILE *out = open_memstream(&page, bytes);
    if (!out)
        abort();
    while (good && (line = strsep(&rest, "\n")) && (rest || *line))
        good = put_line(out, folder, data, line, error);
    fclose(out);
    free(text);
    if (good)
        return page;
    free(page);
    return NULL;
}

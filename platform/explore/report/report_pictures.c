/* SPDX-License-Identifier: MIT */
#include "report_pictures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "other_program.h"
#include "report_page.h"
#include "store_errors.h"
#include "temporary_file.h"
#include "text.h"
#include "utf8.h"
#include "write_all.h"

/* Path of a new file with the data, or NULL and errno. */
static char *write_data(const json_t *data)
{
    const char *parent = getenv("TMPDIR");
    char *beside = hd_text_format("%s/", parent && *parent ? parent : "/tmp"), *path = NULL;
    char *text = report_data_text(data);
    int file = temporary_file_create(beside, &path);
    int good = file >= 0 && hd_write_all(file, text, strlen(text));
    free(text);
    free(beside);
    if (file >= 0)
        close(file);
    if (good)
        return path;
    if (file >= 0)
        temporary_file_remove(path);
    return NULL;
}

static int draw(const char *script, const char *data, const char *const kept[2], const char *svg, const char *png,
                char **said)
{
    const char *words[10] = {"node", script, data, kept[0], kept[1]};
    size_t count = 5;
    if (svg) {
        words[count++] = "--svg";
        words[count++] = svg;
    }
    if (png) {
        words[count++] = "--png";
        words[count++] = png;
    }
    int code = program_run(words, said);
    if (code >= 0 && (code == 0 || **said))
        return code == 0;
    free(*said);
    if (code >= 0) {
        *said = store_error_text(STORE_ERROR_OUTPUT, "pictures cannot be drawn: node ended with %d", code);
        return 0;
    }
    *said = errno == ENOENT
                ? store_error_text(STORE_ERROR_PROGRAM, "--svg and --png need the program node (Debian package nodejs)")
                : store_error_text(STORE_ERROR_PROGRAM, "node, which --svg and --png need, cannot be started: %s",
                                   strerror(errno));
    return 0;
}

/* node takes other bytes for other characters, and would write to another folder. */
static int is_text(const char *path, char **said)
{
    if (!path || utf8_fault(path, strlen(path)) == strlen(path))
        return 1;
    *said = store_error_text(STORE_ERROR_OUTPUT,
                             "pictures cannot be written to %s: node takes only names that are UTF-8 text", path);
    return 0;
}

int report_pictures(const char *folder, const json_t *data, const char *const kept[2], const char *svg, const char *png,
                    char **said)
{
    if (!is_text(svg, said) || !is_text(png, said))
        return 0;
    char *script = hd_text_format("%s/pictures.mjs", folder), *path = write_data(data);
    int good = 0;
    if (path) {
        good = draw(script, path, kept, svg, png, said);
        temporary_file_remove(path);
    } else {
        *said = store_error_text(STORE_ERROR_OUTPUT, "a temporary file cannot be written: %s", strerror(errno));
    }
    free(script);
    return good;
}

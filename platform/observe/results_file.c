/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output_file.h"
#include "results.h"
#include "whole_file.h"

static uint32_t failed(const char *path, char **error)
{
    const char *why = output_file_reason(errno);
    size_t bytes = strlen(path) + strlen(why) + 64;
    *error = malloc(bytes);
    if (!*error)
        abort();
    snprintf(*error, bytes, "error: results cannot be written to %s: %s\n", path, why);
    return 0;
}

uint32_t hd_results_file_check(const char *path, char **error)
{
    return hd_whole_file_check(path) ? 1 : failed(path, error);
}

uint32_t hd_results_text_write(const char *path, const char *text, char **error)
{
    return hd_whole_file_write(path, text, strlen(text)) ? 1 : failed(path, error);
}

uint32_t hd_results_file_write(const char *path, const hd_results *results, char **error)
{
    json_t *json = hd_results_json(results);
    char *text = json_dumps(json, JSON_SORT_KEYS | JSON_INDENT(1));
    json_decref(json);
    if (!text) {
        errno = EINVAL;
        return failed(path, error);
    }
    size_t bytes = strlen(text);
    text[bytes] = '\n'; /* where its end was */
    uint32_t good = hd_whole_file_write(path, text, bytes + 1);
    free(text);
    return good ? 1 : failed(path, error);
}

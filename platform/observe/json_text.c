/* SPDX-License-Identifier: MIT */
#include "json_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8.h"

/* To be freed. */
static char *printable(const char *text, size_t bytes)
{
    char *copy = malloc(4 * bytes + 1), *to = copy;
    if (!copy)
        abort();
    for (size_t at = 0; at < bytes;) {
        const size_t good = utf8_fault(text + at, bytes - at);
        for (size_t i = 0; i < good; i++) {
            if (text[at + i] == '\\')
                *to++ = '\\';
            *to++ = text[at + i];
        }
        at += good;
        if (at < bytes)
            to += sprintf(to, "\\x%02X", (unsigned)(unsigned char)text[at++]);
    }
    *to = '\0';
    return copy;
}

json_t *hd_json_text(const char *text)
{
    const size_t bytes = strlen(text);
    if (utf8_fault(text, bytes) == bytes)
        return json_string(text);
    char *copy = printable(text, bytes);
    json_t *json = json_string(copy);
    free(copy);
    return json;
}

void hd_json_set(json_t *object, const char *name, json_t *value)
{
    json_t *key = hd_json_text(name);
    json_object_set_new(object, json_string_value(key), value);
    json_decref(key);
}

json_t *hd_json_number(uint64_t value)
{
    char text[24];
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

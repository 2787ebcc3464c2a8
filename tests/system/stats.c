/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "identities.h"

json_t *stats_read(const char *path)
{
    json_error_t error;
    json_t *stats = json_load_file(path, 0, &error);
    cr_assert(stats, "%s: %s", path, error.text);
    cr_assert(json_object_get(stats, "host"), "%s has no section host", path);
    json_object_del(stats, "host");
    if (json_is_false(json_object_get(stats, "partial")))
        expect_results_identities(stats);
    return stats;
}

const json_t *stats_at(const json_t *stats, const char *path)
{
    char name[128];
    const json_t *at = stats;
    for (const char *next = path; at && *next; next += *next == '/') {
        size_t length = strcspn(next, "/");
        cr_assert(length < sizeof name);
        memcpy(name, next, length);
        name[length] = '\0';
        next += length;
        at = json_is_array(at) ? json_array_get(at, strtoul(name, NULL, 10)) : json_object_get(at, name);
    }
    cr_assert(at, "there is no %s", path);
    return at;
}

void expect_same_stats(const json_t *a, const json_t *b)
{
    if (json_equal(a, b))
        return;
    char *texts[2] = {json_dumps(a, JSON_SORT_KEYS | JSON_INDENT(1)), json_dumps(b, JSON_SORT_KEYS | JSON_INDENT(1))};
    size_t at = 0, start;
    while (texts[0][at] && texts[0][at] == texts[1][at])
        at++;
    for (start = at > 300 ? at - 300 : 0; start && texts[0][start - 1] != '\n'; start--)
        continue;
    cr_expect(0, "the results differ:\n%.500s\n----\n%.500s", texts[0] + start, texts[1] + start);
    free(texts[0]);
    free(texts[1]);
}

/* SPDX-License-Identifier: MIT */
#include "profiled.h"

#include <criterion/criterion.h>
#include <string.h>

static json_int_t count_in(const json_t *counts, const char *column)
{
    return json_integer_value(json_object_get(counts, column));
}

static json_int_t profile_sum(const json_t *profile, const char *column)
{
    size_t i;
    json_t *row;
    json_int_t sum = count_in(json_object_get(profile, "elsewhere"), column);
    json_array_foreach(json_object_get(profile, "rows"), i, row) sum +=
        count_in(json_object_get(row, "counts"), column);
    return sum;
}

/* Of all cores; -1: they have no such statistic. */
static json_int_t statistic_sum(const json_t *stats, const char *name)
{
    const char *block;
    json_t *entry;
    json_int_t sum = -1;
    json_object_foreach(json_object_get(stats, "blocks"), block, entry)
    {
        const json_t *value = json_object_get(json_object_get(entry, "total"), name);
        if (value && !strcmp(json_string_value(json_object_get(entry, "kind")), "simt_core"))
            sum = (sum < 0 ? 0 : sum) + json_integer_value(value);
    }
    return sum;
}

void expect_profile_adds_up(const json_t *stats)
{
    size_t i, compared = 0;
    json_t *column;
    const json_t *profile = json_object_get(stats, "profile");
    json_array_foreach(json_object_get(profile, "columns"), i, column)
    {
        const char *name = json_string_value(json_object_get(column, "name"));
        const json_int_t expected = statistic_sum(stats, name);
        if (expected < 0)
            continue;
        compared++;
        cr_expect_eq(profile_sum(profile, name), expected, "%s: the profile has %lld, the statistics %lld", name,
                     (long long)profile_sum(profile, name), (long long)expected);
    }
    cr_expect_geq(compared, statistic_sum(stats, "slots_issued") < 0 ? 5u : 14u,
                  "few columns of the profile are statistics");
}

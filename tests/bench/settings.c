/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *what)
{
    fprintf(stderr,
            "heddle_bench: %s\nusage: heddle_bench --apps FOLDER [--json FILE] [--series FILE] [--revision TEXT] "
            "[--date TEXT] [--repetitions N] [--seconds S] [--only APP]\n",
            what);
    exit(2);
}

bench_settings bench_settings_read(int count, char **words)
{
    bench_settings s = {.revision = "unknown", .date = "unknown", .seconds = 3, .repetitions = 9};
    const struct {
        const char *name;
        const char **value;
    } texts[] = {{"--apps", &s.apps}, {"--revision", &s.revision}, {"--date", &s.date},
                 {"--json", &s.json}, {"--series", &s.series},     {"--only", &s.only}};
    for (int i = 1; i < count; i += 2) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        uint32_t text = 0;
        if (!value)
            usage("a value is missing");
        while (text < sizeof texts / sizeof *texts && strcmp(words[i], texts[text].name))
            text++;
        if (text < sizeof texts / sizeof *texts)
            *texts[text].value = value;
        else if (!strcmp(words[i], "--seconds"))
            s.seconds = atof(value);
        else if (!strcmp(words[i], "--repetitions"))
            s.repetitions = (uint32_t)atoi(value);
        else
            usage(words[i]);
    }
    if (!s.apps || s.repetitions < 1 || s.repetitions > BENCH_REPETITIONS_MAX)
        usage("--apps is needed, and 1 to 99 repetitions");
    if (s.series && s.only)
        usage("a row of the series is of all apps");
    return s;
}

/* SPDX-License-Identifier: MIT */
#include "sample_option.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* A window longer than short thread blocks live; a warm-up of many round trips to memory. */
static const hd_sampling_setup standard = {
    .period = 2000000, .window = 50000, .warmup = 8000, .start = 60000, .offset = HD_SAMPLING_RANDOM_OFFSET};

typedef struct size_key {
    const char *name;
    uint64_t *value;
    uint64_t least;
} size_key;

/* "name=number", up to a comma or the end; NULL: it is none. */
static const char *read_size(const char *text, const size_key *keys, size_t count)
{
    const size_t name = strcspn(text, "=");
    for (size_t i = 0; i < count; i++) {
        char *end;
        if (strlen(keys[i].name) != name || strncmp(text, keys[i].name, name) != 0 || text[name] != '=')
            continue;
        errno = 0;
        *keys[i].value = strtoull(text + name + 1, &end, 10);
        const int is_number = text[name + 1] >= '0' && text[name + 1] <= '9' && !errno && (*end == ',' || !*end);
        return is_number && *keys[i].value >= keys[i].least ? end : NULL;
    }
    return NULL;
}

int sample_option_read(const char *text, hd_sampling_setup *setup)
{
    *setup = standard;
    const size_key keys[] = {{"period", &setup->period, 2},
                             {"window", &setup->window, 1},
                             {"warmup", &setup->warmup, 0},
                             {"start", &setup->start, 0},
                             {"offset", &setup->offset, 0}};
    const char *at = strcmp(text, "standard") == 0 ? "" : text;
    const char *item = at;
    while (at && (*at || at == text)) {
        item = at;
        at = read_size(at, keys, sizeof keys / sizeof *keys);
        at += at && *at == ',' && at[1];
    }
    if (!at)
        return hd_usage_error(NULL, NULL, 0,
                              "--sample %s: '%s' is none of period=N, window=N, warmup=N, start=N and offset=N, numbers that "
                              "make sense, separated by commas",
                              text, item);
    if (setup->window >= setup->period)
        return hd_usage_error(NULL, NULL, 0, "--sample %s: a window of %llu instructions does not fit a period of %llu",
                              text, (unsigned long long)setup->window, (unsigned long long)setup->period);
    return HD_EXIT_PASS;
}

/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "live.h"
#include "measures.h"
#include "stats.h"

#define VALUES_MAX 8u
#define PARTS_MAX 8u
#define REFUSED "refused: "
#define FAILS "fails: "

/* A row that is carried out. */
typedef struct trial {
    const char *subject;
    const live_row *row;
    const char *values[VALUES_MAX];
    const machine_run *results[VALUES_MAX];
    size_t count;
} trial;

static uint64_t kernel_time(const machine_run *run)
{
    return (uint64_t)json_integer_value(stats_at(run->results, "busy_ps"));
}

/* As text of a number or of any JSON; to be freed. */
static char *quantity_text(const machine_run *run, const char *name)
{
    uint64_t value = 0;
    if (*name == '/')
        return json_dumps(stats_at(run->results, name + 1), JSON_ENCODE_ANY | JSON_SORT_KEYS);
    const char *dot = strchr(name, '.');
    if (!strcmp(name, "time") || !strcmp(name, "kernels")) {
        value = *name == 't' ? run->time : kernel_time(run);
    } else {
        cr_assert(dot, "'%s' is no quantity", name);
        char *kind = strndup(name, (size_t)(dot - name));
        cr_assert(measures_sum(run->measures, kind, dot + 1, &value), "there is no '%s'", name);
        free(kind);
    }
    return text_of("%llu", (unsigned long long)value);
}

static int is_so(const char *verb, const char *before, const char *after)
{
    const unsigned long long numbers[2] = {strtoull(before, NULL, 10), strtoull(after, NULL, 10)};
    if (!strcmp(verb, "grows"))
        return numbers[1] > numbers[0];
    if (!strcmp(verb, "shrinks"))
        return numbers[1] < numbers[0];
    if (!strcmp(verb, "stays"))
        return !strcmp(before, after);
    cr_assert(!strcmp(verb, "differs"), "'%s' is no effect", verb);
    return strcmp(before, after) != 0;
}

static int passes(const trial *tried, size_t index)
{
    const machine_run *run = tried->results[index];
    const int is_good = !run->was_refused && run->outcome == HD_OUTCOME_PASS;
    cr_expect(is_good, "%s: %s=%s, run '%s': %s", tried->subject, tried->row->parameter, tried->values[index],
              tried->row->run, run->message);
    return is_good;
}

static void expect_change(const trial *tried, const char *effect)
{
    char name[128];
    char *texts[VALUES_MAX] = {NULL};
    const char *verb = strrchr(effect, ' ');
    cr_assert(verb && (size_t)(verb - effect) < sizeof name, "'%s' is no effect", effect);
    snprintf(name, sizeof name, "%.*s", (int)(verb - effect), effect);
    for (size_t i = 0; i < tried->count; i++)
        if (!passes(tried, i))
            return;
    for (size_t i = 0; i < tried->count; i++)
        texts[i] = quantity_text(tried->results[i], name);
    for (size_t i = 0; i < tried->count; i++)
        for (size_t j = i + 1; j < tried->count; j++)
            cr_expect(is_so(verb + 1, texts[i], texts[j]),
                      "%s: with %s=%s, then %s, run '%s': %s %s: it is %s, then %s", tried->subject,
                      tried->row->parameter, tried->values[i], tried->values[j], tried->row->run, name, verb + 1,
                      texts[i], texts[j]);
    for (size_t i = 0; i < tried->count; i++)
        free(texts[i]);
}

/* The last value is wrong, the others are not. */
static void expect_end(const trial *tried, int was_refused, const char *why)
{
    const machine_run *last = tried->results[tried->count - 1];
    for (size_t i = 0; i + 1 < tried->count; i++)
        passes(tried, i);
    cr_expect(last->was_refused == was_refused && (was_refused || last->outcome != HD_OUTCOME_PASS) &&
                  strstr(last->message, why),
              "%s: %s=%s, run '%s': expected '%s', not '%s'", tried->subject, tried->row->parameter,
              tried->values[tried->count - 1], tried->row->run, why, last->message);
}

static void expect_effects(const trial *tried)
{
    const char *effects[PARTS_MAX];
    char *text = strdup(tried->row->effect);
    const size_t count = live_split(text, effects, PARTS_MAX);
    cr_assert_gt(count, 0, "%s: %s has no effect", tried->subject, tried->row->parameter);
    for (size_t i = 0; i < count; i++) {
        if (!strncmp(effects[i], REFUSED, strlen(REFUSED)))
            expect_end(tried, 1, effects[i] + strlen(REFUSED));
        else if (!strncmp(effects[i], FAILS, strlen(FAILS)))
            expect_end(tried, 0, effects[i] + strlen(FAILS));
        else
            expect_change(tried, effects[i]);
    }
    free(text);
}

static const machine_run *result_with(const trial *tried, const char *value, live_setter *set)
{
    live_setting setting = {{0}, {0}};
    char all[2048];
    const live_run *run = live_run_of(tried->row->run);
    const char *more = strstr(tried->row->run, "; ");
    set(run, tried->subject, tried->row->parameter, value, &setting);
    snprintf(all, sizeof all, "%s%s%s", more ? more + 2 : "", more && *setting.settings ? "; " : "", setting.settings);
    return live_result(run, all, setting.layer);
}

void live_expect(const char *subject, const live_row *row, live_setter *set)
{
    trial tried = {.subject = subject, .row = row};
    char *values = strdup(row->values);
    for (char *value = values; value;) {
        char *next = strstr(value, " | ");
        cr_assert_lt(tried.count, VALUES_MAX);
        if (next)
            *next = '\0';
        tried.results[tried.count] = result_with(&tried, value, set);
        tried.values[tried.count++] = value;
        value = next ? next + 3 : NULL;
    }
    cr_assert_geq(tried.count, 2, "%s: %s needs two values", subject, row->parameter);
    expect_effects(&tried);
    free(values);
}

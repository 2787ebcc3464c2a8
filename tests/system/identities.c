/* SPDX-License-Identifier: MIT */
#include "identities.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "measures.h"

#define IDENTITIES_MAX 512u
#define TEXT_MAX 384u
#define FENCE "```"
#define FENCE_ALWAYS FENCE "identities always"
#define FENCE_AT_REST FENCE "identities at rest"

typedef struct identity {
    char text[TEXT_MAX];
    char scope[64];
    const char *relation; /* in text: what follows the scope */
    unsigned when;
    unsigned used;
} identity;

static identity identities[IDENTITIES_MAX];
static size_t identity_count;

static void add_identity(const char *line, size_t length, unsigned when)
{
    identity *new = &identities[identity_count++];
    cr_assert(identity_count <= IDENTITIES_MAX && length < TEXT_MAX, "%.*s", (int)length, line);
    memcpy(new->text, line, length);
    const char *colon = strstr(new->text, ": ");
    cr_assert(colon && (size_t)(colon - new->text) < sizeof new->scope, "an identity needs a scope: %s", new->text);
    memcpy(new->scope, new->text, (size_t)(colon - new->text));
    new->relation = colon + 2;
    new->when = when;
}

static void read_document(void)
{
    char *text = file_read(HEDDLE_DOCUMENTS "/statistics.md", NULL);
    int when = -1;
    cr_assert(text);
    for (const char *line = text; *line; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        if (!strncmp(line, FENCE, strlen(FENCE)))
            when = !strncmp(line, FENCE_ALWAYS, strlen(FENCE_ALWAYS))     ? (int)IDENTITY_ALWAYS
                   : !strncmp(line, FENCE_AT_REST, strlen(FENCE_AT_REST)) ? (int)IDENTITY_AT_REST
                                                                          : -1;
        else if (when >= 0 && length)
            add_identity(line, length, (unsigned)when);
        line += length;
    }
    free(text);
    cr_assert(identity_count, "docs/statistics.md states no identity");
}

/* Where names get their values: one element, or all of them. */
typedef struct scope {
    const json_t *element; /* NULL: the machine */
    const json_t *measures;
} scope;

static int value_of(const scope *where, const char *name, int64_t *value)
{
    uint64_t found;
    char kind[64];
    if (isdigit((unsigned char)*name)) {
        *value = strtoll(name, NULL, 10);
        return 1;
    }
    const size_t length = strcspn(name, ".");
    int exists;
    if (where->element) {
        exists = measure_of(where->element, name, &found);
    } else {
        cr_assert(name[length] && length < sizeof kind, "'%s' is no KIND.NAME", name);
        memcpy(kind, name, length);
        kind[length] = '\0';
        exists = measures_sum(where->measures, kind, name + length + 1, &found);
    }
    *value = (int64_t)found;
    return exists;
}

/* The sum up to the relation or the end; leaves *text there. Returns 0 if a name does not exist. */
static int sum_of(const scope *where, char **text, int64_t *sum)
{
    int64_t sign = 1, product = 1;
    *sum = 0;
    for (char *word; (word = strsep(text, " "));) {
        int64_t value;
        if (!strcmp(word, "=") || !strcmp(word, "<="))
            break;
        if (!strcmp(word, "*"))
            continue;
        if (!strcmp(word, "+") || !strcmp(word, "-")) {
            *sum += sign * product;
            sign = *word == '+' ? 1 : -1;
            product = 1;
            continue;
        }
        if (!value_of(where, word, &value))
            return 0;
        product *= value;
    }
    *sum += sign * product;
    return 1;
}

static void check(identity *stated, const char *relation, const scope *where)
{
    char text[TEXT_MAX];
    int64_t sides[2];
    snprintf(text, sizeof text, "%s", relation);
    const int is_bound = strstr(text, " <= ") != NULL;
    char *rest = text;
    cr_assert(is_bound || strstr(text, " = "), "%s", relation);
    if (!sum_of(where, &rest, &sides[0]) || !sum_of(where, &rest, &sides[1]))
        return;
    const char *name = where->element ? json_string_value(json_object_get(where->element, "name")) : "the machine";
    cr_expect(is_bound ? sides[0] <= sides[1] : sides[0] == sides[1], "%s: %s: it is %lld and %lld", name, relation,
              (long long)sides[0], (long long)sides[1]);
    stated->used += sides[0] != 0 && sides[1] != 0;
}

static void check_everywhere(identity *stated, const char *relation, const json_t *measures)
{
    size_t i;
    json_t *element;
    if (!strcmp(stated->scope, "machine")) {
        check(stated, relation, &(scope){.measures = measures});
        return;
    }
    json_array_foreach((json_t *)measures, i, element)
    {
        if (!strcmp(json_string_value(json_object_get(element, "kind")), stated->scope))
            check(stated, relation, &(scope){.element = element});
    }
}

/* Types of all messages that were sent, as the names of ports have them. */
static json_t *messages_of(const json_t *measures)
{
    size_t i;
    json_t *element, *value, *messages = json_object();
    json_array_foreach((json_t *)measures, i, element)
    {
        const char *name;
        json_object_foreach(json_object_get(element, "values"), name, value)
        {
            const char *port = strncmp(name, "sent.", 5) ? NULL : name + 5;
            if (port && strchr(port, '.'))
                json_object_set_new(messages, strchr(port, '.') + 1, json_true());
        }
    }
    return messages;
}

#define PLACE "MESSAGE"

static void check_messages(identity *stated, const json_t *measures)
{
    const char *message;
    json_t *unused, *messages = messages_of(measures);
    json_object_foreach(messages, message, unused)
    {
        char text[TEXT_MAX];
        size_t length = 0;
        for (const char *at = stated->relation; *at && length < sizeof text;) {
            const int is_place = !strncmp(at, PLACE, strlen(PLACE));
            length += (size_t)snprintf(text + length, sizeof text - length, "%.*s", is_place ? (int)strlen(message) : 1,
                                       is_place ? message : at);
            at += is_place ? strlen(PLACE) : 1;
        }
        cr_assert_lt(length, sizeof text);
        check_everywhere(stated, text, measures);
    }
    json_decref(messages);
}

void expect_identities(const json_t *measures, unsigned when)
{
    if (!identity_count)
        read_document();
    for (size_t i = 0; i < identity_count; i++) {
        if (identities[i].when > when)
            continue;
        if (strstr(identities[i].relation, PLACE))
            check_messages(&identities[i], measures);
        else
            check_everywhere(&identities[i], identities[i].relation, measures);
    }
}

/* The parts of the time of an app add up to all of it. */
static void expect_time_adds_up(const json_t *stats)
{
    const json_t *time = json_object_get(stats, "time"), *part;
    const char *key;
    json_int_t sum = 0;
    if (!json_is_object(time))
        return;
    json_object_foreach((json_t *)(uintptr_t)time, key, part) sum += json_integer_value(part);
    cr_expect_eq(sum, 2 * json_integer_value(json_object_get(time, "total_ps")), "parts of the time do not add up");
    cr_expect_eq(json_integer_value(json_object_get(time, "total_ps")),
                 json_integer_value(json_object_get(stats, "simulated_ps")));
    cr_expect_leq(json_integer_value(json_object_get(time, "kernel_ps")) +
                      json_integer_value(json_object_get(time, "overlap_ps")),
                  json_integer_value(json_object_get(stats, "busy_ps")));
}

void expect_results_identities(const json_t *stats)
{
    expect_time_adds_up(stats);
    json_t *measures = measures_of_results(stats);
    expect_identities(measures, IDENTITY_ALWAYS);
    json_decref(measures);
    const size_t kernels = json_array_size(json_object_get(stats, "kernels"));
    for (size_t i = 0; i < kernels; i++) {
        measures = measures_of_kernel(stats, i);
        expect_identities(measures, IDENTITY_ALWAYS);
        json_decref(measures);
    }
}

const char *identity_use(size_t index, unsigned *count)
{
    if (index >= identity_count)
        return NULL;
    *count = identities[index].used;
    return identities[index].text;
}

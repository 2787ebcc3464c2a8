/* SPDX-License-Identifier: MIT */
/* Links, all those between the same two ports together: "core.request -> request_network.input". */
#include <string.h>

#include "parts.h"

typedef struct link_group {
    const char *name;
    const char *blocks[2]; /* of its ends */
    uint32_t count;
    json_t *values; /* what all of them have; where they are not alike, all values in a text */
} link_group;

typedef struct link_groups {
    link_group *groups;
    uint32_t count;
    uint32_t capacity;
} link_groups;

/* "core[3].request[0]" without its indices. */
static const char *without_indices(comparing *at, const char *end)
{
    char *text = arena_copy(&at->result->memory, end, strlen(end)), *to = text;
    for (const char *from = end; *from; from++) {
        if (*from == '[')
            from += strcspn(from, "]");
        else
            *to++ = *from;
        if (!*from)
            break;
    }
    *to = '\0';
    return text;
}

static link_group *group_of(comparing *at, link_groups *all, const json_t *link)
{
    arena *memory = &at->result->memory;
    const char *from = without_indices(at, compare_member(link, "from"));
    const char *to = without_indices(at, compare_member(link, "to"));
    const char *name = arena_format(memory, "%s -> %s", from, to);
    for (uint32_t i = 0; i < all->count; i++)
        if (!strcmp(all->groups[i].name, name))
            return &all->groups[i];
    all->groups = arena_grow(memory, all->groups, all->count, &all->capacity, sizeof *all->groups);
    link_group *group = &all->groups[all->count++];
    *group =
        (link_group){.name = name,
                     .blocks = {arena_copy(memory, from, strcspn(from, ".")), arena_copy(memory, to, strcspn(to, "."))},
                     .values = json_object()};
    return group;
}

/* Whether "4, 18, 8" names it. */
static int is_among(const char *texts, const char *text)
{
    const size_t bytes = strlen(text);
    for (const char *at = texts, *end; at; at = end ? end + 2 : NULL) {
        end = strstr(at, ", ");
        if ((end ? (size_t)(end - at) : strlen(at)) == bytes && !memcmp(at, text, bytes))
            return 1;
    }
    return 0;
}

/* Adds a value to those that links of the group have. */
static void note_value(comparing *at, link_group *group, const char *key, json_t *value)
{
    json_t *known = json_object_get(group->values, key);
    if (!known) {
        json_object_set(group->values, key, value);
        return;
    }
    if (json_equal(known, value))
        return;
    const char *so_far = compare_text(at, known), *more = compare_text(at, value);
    if (!is_among(so_far, more))
        json_object_set_new(group->values, key, json_string(arena_format(&at->result->memory, "%s, %s", so_far, more)));
}

static link_groups read_groups(comparing *at, const json_t *machine)
{
    link_groups all = {0};
    const json_t *links = json_object_get(machine, "links");
    for (size_t i = 0; i < json_array_size(links); i++) {
        const char *key;
        json_t *value, *link = json_array_get(links, i);
        link_group *group = group_of(at, &all, link);
        group->count++;
        json_object_foreach(link, key, value)
        {
            if (strcmp(key, "from") && strcmp(key, "to"))
                note_value(at, group, key, value);
        }
    }
    return all;
}

static const link_group *find(const link_groups *all, const char *name)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (!strcmp(all->groups[i].name, name))
            return &all->groups[i];
    return NULL;
}

/* One of the blocks is not there on both sides, or not as often, or of another type: other links follow from that. */
static int follows(const link_group *group, const json_t *machines[2])
{
    static const char *const keys[] = {"kind", "type", "count"};
    for (int end = 0; end < 2; end++) {
        const json_t *a = compare_block(machines[0], group->blocks[end]);
        const json_t *b = compare_block(machines[1], group->blocks[end]);
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
                return 1;
    }
    return 0;
}

static const char *count_text(comparing *at, const link_group *group)
{
    return group ? arena_format(&at->result->memory, "%u links", group->count) : NULL;
}

/* `a` or `b` may be NULL: that machine has no such links. */
static void compare_group(comparing *at, const link_group *a, const link_group *b, const json_t *machines[2])
{
    const char *key, *name = (a ? a : b)->name;
    json_t *value;
    if (!a || !b || a->count != b->count)
        compare_add_difference(at, name, count_text(at, a), count_text(at, b), follows(a ? a : b, machines));
    if (!a || !b)
        return;
    json_object_foreach(a->values, key, value)
    {
        compare_values(at, arena_format(&at->result->memory, "%s: %s", name, key), value,
                       json_object_get(b->values, key));
    }
}

static void free_groups(link_groups *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        json_decref(all->groups[i].values);
}

void compare_links(comparing *at, const json_t *machines[2])
{
    link_groups a = read_groups(at, machines[0]), b = read_groups(at, machines[1]);
    for (uint32_t i = 0; i < a.count; i++)
        compare_group(at, &a.groups[i], find(&b, a.groups[i].name), machines);
    for (uint32_t i = 0; i < b.count; i++)
        if (!find(&a, b.groups[i].name))
            compare_group(at, NULL, &b.groups[i], machines);
    free_groups(&a);
    free_groups(&b);
}

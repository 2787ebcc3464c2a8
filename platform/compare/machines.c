/* SPDX-License-Identifier: MIT */
/* What is different about two resolved machines, and about the inputs of the app. */
#include <inttypes.h>
#include <string.h>

#include "parts.h"

/* What is said of every block besides its parameters. */
static const char *const block_keys[] = {"kind", "type", "count", "clock"};
static const char *const machine_keys[] = {"watchdog_ps", "limit_ps", "launch_align"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

void compare_add_difference(comparing *at, const char *what, const char *a, const char *b, int is_consequence)
{
    comparison *result = at->result;
    result->differences = arena_grow(&result->memory, result->differences, result->difference_count,
                                     &at->difference_capacity, sizeof *result->differences);
    result->differences[result->difference_count++] =
        (machine_difference){.what = what, .values = {a, b}, .is_consequence = is_consequence};
}

void compare_values(comparing *at, const char *what, const json_t *a, const json_t *b)
{
    if ((a || b) && !json_equal(a, b))
        compare_add_difference(at, what, a ? compare_text(at, a) : NULL, b ? compare_text(at, b) : NULL, 0);
}

/* is_consequence: what only one side has is so for another reason. */
static void compare_members(comparing *at, const char *prefix, const json_t *a, const json_t *b, int is_consequence)
{
    const json_t *sides[] = {a, b};
    const char *name;
    json_t *value;
    for (int side = 0; side < 2; side++) {
        json_object_foreach((json_t *)sides[side], name, value)
        {
            const json_t *other = json_object_get(sides[!side], name);
            const char *what = arena_format(&at->result->memory, "%s.%s", prefix, name);
            if (!other)
                compare_add_difference(at, what, side ? NULL : compare_text(at, value),
                                       side ? compare_text(at, value) : NULL, is_consequence);
            else if (!side)
                compare_values(at, what, value, other);
        }
    }
}

void compare_pairs(comparing *at, const char *prefix, const json_t *a, const json_t *b)
{
    compare_members(at, prefix, a, b, 0);
}

const json_t *compare_block(const json_t *machine, const char *name)
{
    const json_t *blocks = json_object_get(machine, "blocks");
    for (size_t i = 0; i < json_array_size(blocks); i++)
        if (!strcmp(compare_member(json_array_get(blocks, i), "name"), name))
            return json_array_get(blocks, i);
    return NULL;
}

/* "simt_core/timed", "15 x simt_core/timed" */
static const char *block_text(comparing *at, const json_t *block)
{
    const char *kind = compare_member(block, "kind"), *type = compare_member(block, "type");
    unsigned long long count = compare_number(block, "count");
    return count > 1 ? arena_format(&at->result->memory, "%llu x %s/%s", count, kind, type)
                     : arena_format(&at->result->memory, "%s/%s", kind, type);
}

static void compare_both(comparing *at, const json_t *a, const json_t *b)
{
    const char *name = compare_member(a, "name");
    int is_same = 1;
    for (size_t i = 0; i < COUNT(block_keys); i++)
        compare_values(at, arena_format(&at->result->memory, "%s.%s", name, block_keys[i]),
                       json_object_get(a, block_keys[i]), json_object_get(b, block_keys[i]));
    for (size_t i = 0; i < 2; i++)
        is_same &= json_equal(json_object_get(a, block_keys[i]), json_object_get(b, block_keys[i]));
    compare_members(at, name, json_object_get(a, "parameters"), json_object_get(b, "parameters"), !is_same);
}

static void compare_blocks(comparing *at, const json_t *machines[2])
{
    for (int side = 0; side < 2; side++) {
        const json_t *blocks = json_object_get(machines[side], "blocks");
        for (size_t i = 0; i < json_array_size(blocks); i++) {
            const json_t *block = json_array_get(blocks, i);
            const json_t *other = compare_block(machines[!side], compare_member(block, "name"));
            if (!other)
                compare_add_difference(at, compare_member(block, "name"), side ? NULL : block_text(at, block),
                                       side ? block_text(at, block) : NULL, 0);
            else if (!side)
                compare_both(at, block, other);
        }
    }
}

/* What events cost; of tables of different names only that they are different. */
static void compare_energy(comparing *at, const json_t *a, const json_t *b)
{
    const char *block;
    json_t *costs;
    compare_values(at, "energy", json_object_get(a, "name"), json_object_get(b, "name"));
    if (strcmp(compare_member(a, "name"), compare_member(b, "name")) != 0)
        return;
    compare_values(at, "energy.tm", json_object_get(a, "tm"), json_object_get(b, "tm"));
    json_object_foreach(json_object_get(a, "blocks_fj"), block, costs)
    {
        const json_t *other = json_object_get(json_object_get(b, "blocks_fj"), block);
        if (other)
            compare_pairs(at, arena_format(&at->result->memory, "energy.%s", block), costs, other);
    }
}

/* A machine that has become this one at a checkpoint was another one before. */
static void compare_checkpoints(comparing *at)
{
    const char *texts[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++) {
        const json_t *from = json_object_get(at->results[side], "from_checkpoint");
        if (from)
            texts[side] = arena_format(&at->result->memory, "changed at %" PRIu64 " ps", compare_number(from, "at_ps"));
    }
    if (texts[0] || texts[1])
        compare_add_difference(at, "checkpoint", texts[0], texts[1], 0);
}

void compare_machines(comparing *at)
{
    const json_t *machines[2], *apps[2];
    for (int side = 0; side < 2; side++) {
        machines[side] = json_object_get(at->results[side], "machine");
        apps[side] = json_object_get(at->results[side], "app");
    }
    compare_blocks(at, machines);
    compare_pairs(at, "clocks", json_object_get(machines[0], "clocks_hz"), json_object_get(machines[1], "clocks_hz"));
    compare_pairs(at, "address_map", json_object_get(machines[0], "address_map"),
                  json_object_get(machines[1], "address_map"));
    for (size_t i = 0; i < COUNT(machine_keys); i++)
        compare_values(at, machine_keys[i], json_object_get(machines[0], machine_keys[i]),
                       json_object_get(machines[1], machine_keys[i]));
    compare_pairs(at, "perturb", json_object_get(machines[0], "perturb"), json_object_get(machines[1], "perturb"));
    compare_energy(at, json_object_get(machines[0], "energy"), json_object_get(machines[1], "energy"));
    compare_links(at, machines);
    compare_pairs(at, "app", json_object_get(apps[0], "inputs"), json_object_get(apps[1], "inputs"));
    compare_checkpoints(at);
    compare_values(at, "seed", json_object_get(at->results[0], "seed"), json_object_get(at->results[1], "seed"));
}

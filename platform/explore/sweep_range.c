/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep_reader.h"

/* A whole number and what stands behind it: "16", " KiB". */
typedef struct quantity {
    uint64_t number;
    const char *unit;
} quantity;

static int read_quantity(sweep_reader *reader, const node *range, const char *key, quantity *result)
{
    const node *value = netlist_find(range, key);
    char *end;
    if (!sweep_check_kind(reader, value, NODE_SCALAR, key))
        return 0;
    errno = 0;
    result->number = strtoull(value->text, &end, 10);
    result->unit = end;
    if (isdigit((unsigned char)*value->text) && !errno && *end != '.')
        return 1;
    report_error(&reader->log, SWEEP_ERROR_RANGE, value->at, "'%s' must be a whole number", value->text);
    return 0;
}

static int is_after(uint64_t value, const quantity *by, int is_factor, uint64_t *next)
{
    return is_factor ? !__builtin_mul_overflow(value, by->number, next)
                     : !__builtin_add_overflow(value, by->number, next);
}

static void add_values(sweep_reader *reader, choice_list *list, const node *path, const node *range,
                       const quantity *limits, int is_factor)
{
    uint64_t next;
    for (uint64_t value = limits[0].number; value <= limits[1].number && list->count < SWEEP_CHOICES_MAX;
         value = next) {
        const char *text = arena_format(reader->memory, "%" PRIu64 "%s", value, limits[0].unit);
        sweep_add_value(reader, list, path, netlist_new_scalar(reader->memory, text, sweep_place(range)));
        if (!is_after(value, &limits[2], is_factor, &next))
            return;
    }
}

/* What is wrong with these; NULL: nothing. */
static const char *problem_of(const quantity *from, const quantity *to, const quantity *step, int is_factor)
{
    if (strcmp(from->unit, to->unit) || (*step->unit && (is_factor || strcmp(from->unit, step->unit))))
        return "the numbers of a range must have the same unit; 'times' has none";
    if (from->number > to->number)
        return "a range must not descend: 'from' is greater than 'to'";
    if (step->number < (is_factor ? 2u : 1u) || (is_factor && !from->number))
        return "a range with this step never ends";
    return NULL;
}

void sweep_add_range(sweep_reader *reader, choice_list *list, const node *path, const node *range)
{
    static const char *const keys[] = {"from", "to", "step", "times", NULL};
    quantity limits[3];
    uint32_t errors = reader->log.errors;
    sweep_check_keys(reader, range, "a range", keys);
    int is_factor = netlist_find(range, "times") != NULL;
    if (reader->log.errors > errors)
        return;
    if (!netlist_find(range, "from") || !netlist_find(range, "to") ||
        is_factor == (netlist_find(range, "step") != NULL)) {
        report_error(&reader->log, SWEEP_ERROR_RANGE, sweep_place(range),
                     "a range needs from, to, and one of step and times");
        return;
    }
    if (!read_quantity(reader, range, "from", &limits[0]) || !read_quantity(reader, range, "to", &limits[1]) ||
        !read_quantity(reader, range, is_factor ? "times" : "step", &limits[2]))
        return;
    const char *what = problem_of(&limits[0], &limits[1], &limits[2], is_factor);
    if (what)
        report_error(&reader->log, SWEEP_ERROR_RANGE, sweep_place(range), "%s", what);
    else
        add_values(reader, list, path, range, limits, is_factor);
}

/* SPDX-License-Identifier: MIT */
#include "report_parts.h"

static const struct {
    const char *name; /* NULL: a part of the last one that has one */
    const char *title;
    const char *whole;
    const char *unit;
    const char *text; /* what is said about a stack, the label of a part */
    const char *statistic;
} rows[] = {
#define REPORT_STACK(name, title, whole, unit, about) {name, title, whole, unit, about, NULL},
#define REPORT_PART(statistic, label) {NULL, NULL, NULL, NULL, label, statistic},
#include "report_stacks.def"
};

json_t *report_stacks(void)
{
    json_t *stacks = json_array(), *parts = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].name) {
            parts = json_array();
            json_array_append_new(stacks, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", rows[i].name, "title",
                                                    rows[i].title, "whole", rows[i].whole, "unit", rows[i].unit,
                                                    "about", rows[i].text, "parts", parts));
        } else {
            json_array_append_new(parts,
                                  json_pack("{s:s, s:s}", "statistic", rows[i].statistic, "label", rows[i].text));
        }
    }
    return stacks;
}

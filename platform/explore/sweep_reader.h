/* SPDX-License-Identifier: MIT */
/* What the parts of the reader of sweep files share. */
#ifndef EXPLORE_SWEEP_READER_H
#define EXPLORE_SWEEP_READER_H

#include "sweep.h"

typedef struct sweep_reader {
    arena *memory; /* of the sweep */
    diagnostics log;
    sweep *result;
    sweep_axis *axes; /* so far */
    uint32_t axis_capacity;
} sweep_reader;

/* A set of points. */
typedef struct point_list {
    uint32_t *picks; /* axes of the whole sweep per point; NETLIST_NONE where an axis is not of this combination */
    uint32_t count;
} point_list;

/* The place of a node, one column wide if it is a list or a mapping. */
span sweep_place(const node *at);

/* Reports unless the node is of that kind, and not empty. what: as the sentence begins. */
int sweep_check_kind(sweep_reader *reader, const node *value, enum node_kind kind, const char *what);

/* Reports every key of a mapping that is none of those, NULL at the end. */
void sweep_check_keys(sweep_reader *reader, const node *mapping, const char *where, const char *const *known);

/* A whole number from minimum to maximum, or a report and 0. */
int sweep_read_number(sweep_reader *reader, const node *value, const char *what, uint32_t minimum, uint32_t maximum,
                      uint32_t *result);

/* The pairs of a mapping PATH: VALUE. 0 after a report. */
int sweep_read_settings(sweep_reader *reader, const node *mapping, const char *where, const netlist_setting **settings,
                        uint32_t *count);

/* sweep_extend.c */
/* Bytes of a mark of UTF-8 at the beginning. */
size_t sweep_mark_bytes(const char *text);
/* The tree of a file; NULL after a report. */
const node *sweep_parse_file(sweep_reader *reader, const source *file);
/* The root of the file that `extends` names; NULL after a report. */
const node *sweep_read_extended(sweep_reader *reader, const node *extended);

/* sweep_axes.c: fills the axes from the tree below `axes`. */
void sweep_read_axes(sweep_reader *reader, const node *combination);

/* sweep_range.c: adds the values that a range stands for. */
typedef struct choice_list {
    sweep_choice *choices;
    uint32_t count;
    uint32_t capacity;
} choice_list;
void sweep_add_value(sweep_reader *reader, choice_list *list, const node *path, const node *value);
void sweep_add_range(sweep_reader *reader, choice_list *list, const node *path, const node *range);

/* sweep_points.c: from axes to points. excludes: lists of points to leave out, or NULL each. */
void sweep_expand(sweep_reader *reader, const node *combination, const node *const *excludes, size_t count);

/* sweep_published.c: when the points are known. */
void sweep_read_published(sweep_reader *reader, const node *list);
/* sweep_pairs.c: fills `sorted`. */
void sweep_sort_points(sweep *read);

/* The index of an axis, or of one of its values; NETLIST_NONE after a report. */
uint32_t sweep_find_axis(sweep_reader *reader, const node *name);
uint32_t sweep_find_choice(sweep_reader *reader, const sweep_axis *axis, const node *label);

#endif

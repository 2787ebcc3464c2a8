/* SPDX-License-Identifier: MIT */
/* Which experiment, axes and statistics are looked at. */
#ifndef EXPLORE_STORE_VIEW_H
#define EXPLORE_STORE_VIEW_H

#include "store_sql.h"

typedef struct name_list {
    char **names;
    size_t count;
} name_list;

typedef struct view_columns {
    int64_t experiment;
    int64_t repeat;
    int is_perturbed; /* repetitions of a point differ in chance */
    name_list axes;
    name_list statistics; /* in alphabetical order for each pattern, each once */
} view_columns;

/* Returns 1, or 0 and opened->error. To be given to view_columns_free in any case. */
int view_columns_read(store *opened, const store_view *view, view_columns *columns);
void view_columns_free(view_columns *columns);

int name_list_has(const name_list *list, const char *name);

#endif

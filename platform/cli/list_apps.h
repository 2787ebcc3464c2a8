/* SPDX-License-Identifier: MIT */
#ifndef HD_LIST_APPS_H
#define HD_LIST_APPS_H

#include "netlist.h"

/* The built apps whose name matches the pattern (NULL = all) by name, with their options, as their app.yaml has them.
 * Returns how many there were. */
size_t hd_list_apps(const char *pattern, enum text_format format, FILE *out);

#endif

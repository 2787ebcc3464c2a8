/* SPDX-License-Identifier: MIT */
/* Folders: those that come with Heddle, found from the file that this code is in, wherever that is installed; and lists of others. */
#ifndef NETLIST_SHIPPED_FILES_H
#define NETLIST_SHIPPED_FILES_H

#include "arena.h"

/* The first of these folders that there is, as an absolute path. places: relative to the file's folder, NULL at the end. NULL: it
 * is not here. */
const char *netlist_shipped_folder(arena *memory, const char *const *places);

int netlist_is_folder(const char *path);
/* The first folder of a list, "a:b", which then begins behind it; NULL: there is none. */
const char *netlist_next_folder(arena *memory, const char **folders);

#endif

/* SPDX-License-Identifier: MIT */
/* Folders that come with Heddle, found from the file that this code is in, wherever that is installed. */
#ifndef NETLIST_SHIPPED_FILES_H
#define NETLIST_SHIPPED_FILES_H

#include "arena.h"

/* The first of these folders that there is, as an absolute path. places: relative to the file's folder, NULL at the end. NULL: it
 * is not here. */
const char *netlist_shipped_folder(arena *memory, const char *const *places);

#endif

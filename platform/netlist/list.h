/* SPDX-License-Identifier: MIT */
/* What the lists share. */
#ifndef NETLIST_LIST_H
#define NETLIST_LIST_H

#include "netlist.h"
#include "table.h"

/* pattern as in netlist_list_details. */
int list_class_matches(const hd_block_class *block_class, const char *pattern);

/* A name and a pattern with *, ? and [...]; NULL matches every name. */
int list_matches(const char *name, const char *pattern);

/* Rows (parameter = value, with = value, why) for each two choices that the class refuses, all else at its default. */
void list_conflicts(table *rows, const hd_block_class *block_class);

#endif

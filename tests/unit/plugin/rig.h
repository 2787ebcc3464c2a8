/* SPDX-License-Identifier: MIT */
/* Plug-ins beside one built-in class, test_block/built_in. */
#ifndef PLUGIN_RIG_H
#define PLUGIN_RIG_H

#include "plugin.h"

#define OBJECT(name) PLUGIN_OBJECTS "/" name ".so"

netlist_registry rig_built_in(void);

/* Loads it into a set of its own; the test fails unless it is refused with that number and exactly that text. The text
 * stands for the path wherever it has a '@'. */
void rig_expect_refusal(const char *path, uint32_t number, const char *text);
void rig_expect_refusal_of(hd_plugins *plugins, const char *path, uint32_t number, const char *text);
void rig_expect_loaded(hd_plugins *plugins, const char *path);

#endif

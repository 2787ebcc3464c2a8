/* SPDX-License-Identifier: MIT */
/*
 * Plug-ins of a machine: shared objects with block classes (hd_plugin.h) or SystemC models (heddle_systemc.h).
 *
 * A plug-in is taken as a whole or not at all. What is checked: the file, its entry, versions and sizes, every
 * declaration table, and that nobody else defines the same (kind, type).
 */
#ifndef HD_PLUGINS_H
#define HD_PLUGINS_H

#include "netlist.h"
#include "tlm_machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_plugins hd_plugins;

/* An empty set beside the classes of the program itself, which must outlive it. requests: what is to be loaded before
 * what a netlist names; borrowed. */
hd_plugins *hd_plugins_create(netlist_registry built_in, const netlist_plugin_request *requests, size_t request_count);
/* Unloads them all; no block of theirs may be left. NULL is allowed. */
void hd_plugins_destroy(hd_plugins *plugins);

/* For netlist_load: the classes so far, and how more are loaded. Valid until the next one is loaded, or destroy. */
netlist_registry hd_plugins_registry(hd_plugins *plugins);

/* Loads the requests. Returns 0 and the text for the user, to be freed, if one of them cannot be. For commands that
 * have no netlist. */
uint32_t hd_plugins_load_requests(hd_plugins *plugins, char **error);

/*
 * Loads the shared object. 0 = its classes are in the registry; a file that is loaded already counts as that. Otherwise
 * the number of the netlist error, and *refusal says why, to be freed: a sentence, and further lines that are notes.
 * A path without '/' that is no file is looked for in the plug-in folder of the installation.
 */
uint32_t hd_plugins_load(hd_plugins *plugins, const char *path, char **refusal);

/* What a user asks for: `paths` is the value of the variable HD_PLUGINS_VARIABLE, separated by ':', or NULL; options are
 * the paths of --plugin. *count is how many there are. One block of memory, to be freed; options are borrowed. */
#define HD_PLUGINS_VARIABLE "HEDDLE_PLUGINS"
netlist_plugin_request *hd_plugins_requests(const char *paths, const char *const *options, size_t option_count,
                                            size_t *count);

/* Has a plug-in been loaded from this path, even one that was refused? May be called from a handler of signals; of the first
 * 64 plug-ins of the process. */
uint32_t hd_plugin_was_loaded(const char *path);

/* ---- SystemC models ----------------------------------------------------------------------------------------------- */

/* The instances of SystemC models in one machine. All that is given is borrowed. */
typedef struct hd_foreign_modules hd_foreign_modules;
hd_foreign_modules *hd_foreign_modules_create(const hd_plugins *plugins, const netlist *machine,
                                              const hd_tlm_options *others);
/* NULL is allowed. */
void hd_foreign_modules_destroy(hd_foreign_modules *modules);
/* `others` with the instances of plug-ins besides what they make themselves. */
hd_tlm_options hd_foreign_modules_options(hd_foreign_modules *modules);
/* Why a model could not be made, or NULL. Lives as long as modules. */
const char *hd_foreign_modules_failure(const hd_foreign_modules *modules);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* Private to platform/plugin. */
#ifndef HD_PLUGIN_INTERNAL_H
#define HD_PLUGIN_INTERNAL_H

#include <stdio.h>

#include "hd_plugin.h"
#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a plug-in is not taken. */
typedef struct refusal {
    uint32_t number; /* netlist error; 0 = none yet */
    char *text;
} refusal;

/* The first one counts. Returns 0. */
uint32_t refuse(refusal *why, uint32_t number, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A shared object that is open. Exactly one of plugin and models is set. */
typedef struct shared_object {
    void *handle;
    const hd_plugin *plugin;
    const void *models; /* heddle_systemc_plugin */
} shared_object;

/* ---- shared_object.c ---------------------------------------------------------------------------------------------- */

/* Opens the file and finds its entry. Returns 0 after a refusal, with nothing left open. */
uint32_t shared_object_open(shared_object *object, const char *path, refusal *why);
void shared_object_close(shared_object *object);

/* ---- systemc_entry.cpp -------------------------------------------------------------------------------------------- */

/* Before a shared object is opened that has such an entry: whatever of SystemC it asks for is there. Returns 0 after a refusal. */
uint32_t systemc_entry_prepare(const char *path, refusal *why);
/* Versions, functions and tables of the entry. Returns 0 after a refusal. */
uint32_t systemc_entry_check(const void *models, const char *path, refusal *why);
uint32_t systemc_entry_count(const void *models);
const hd_block_class *systemc_entry_class(const void *models, uint32_t index);

/* ---- c_entry.c ------------------------------------------------------------------------------------------------------ */

uint32_t c_entry_check(const hd_plugin *plugin, const char *path, refusal *why);

/* What both kinds of entry say of themselves, and of their versions. Return 0 after a refusal. */
uint32_t entry_check_texts(const char *path, const char *name, const char *version, const char *licence, refusal *why);
uint32_t entry_check_version(const char *path, uint32_t abi_version, uint32_t struct_bytes, size_t needed,
                             refusal *why);
uint32_t entry_check_class(const char *path, uint32_t index, const hd_block_class *block_class, uint32_t foreign,
                           refusal *why);

/* The tables of a class that has been composed with the unit. Returns 0 after a refusal. */
struct hd_unit;
uint32_t entry_check_composed(const char *path, const struct hd_unit *unit, const hd_block_class *composed,
                              refusal *why);

/* ---- plugins.c ---------------------------------------------------------------------------------------------------- */

/* The entry of SystemC models that the class is from, and its index there; NULL if there is none. */
const void *plugins_find_model(const hd_plugins *plugins, const hd_block_class *block_class, uint32_t *index);

#ifdef __cplusplus
}
#endif

#endif

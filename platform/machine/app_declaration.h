/* SPDX-License-Identifier: MIT */
/* What an app says of itself: FOLDER/app.yaml. docs/writing-apps.md has its keys. */
#ifndef HD_APP_DECLARATION_H
#define HD_APP_DECLARATION_H

#include "host.h"
#include "opencl_app.h"
#include "yaml_tree.h"

#define HD_APP_VARIANT "variant" /* --set app.variant=NAME; no app has an option of that name */

typedef struct hd_app_declaration {
    const char *name;            /* as declared, or that of the folder */
    const char *doc;             /* "" if none */
    const char *path;            /* of app.yaml */
    const node *options;         /* a mapping; NULL: it declares none, and everything goes */
    const node *variants;        /* a mapping; NULL: none */
    const hd_opencl_app *opencl; /* NULL: it has a host program and kernels of its own */
} hd_app_declaration;

/* Fills the declaration, also of a folder without app.yaml. 0 after a report. */
int hd_app_declaration_read(hd_app_declaration *app, arena *memory, diagnostics *log, const char *folder);

/* The name alone, to be freed; that of the folder if app.yaml cannot be read. */
char *hd_app_declared_name(const char *folder);

/* 0: it surely is not. Without parsing app.yaml, so that one app among many is found soon. */
int hd_app_may_be_called(const char *folder, const char *name);

/* The default of an option, "" if it has none. */
const char *hd_app_default(const node *option);

/* The keys of a mapping, to be suggested; NULL: none. */
candidates hd_app_names(arena *memory, const node *mapping);

/* The variant that is given, NULL if none is: the last one of the options with that name. */
const hd_host_option *hd_app_variant_given(const hd_host_option *given, uint32_t count);

/*
 * The options that are given, behind what the variant sets, so that what is given itself holds: of several with one name the
 * last one does. settings: the variant's mapping, or NULL. Returns how many there are.
 */
uint32_t hd_app_expand_variant(arena *memory, const node *settings, const hd_host_option *given, uint32_t count,
                               hd_host_option **expanded);

#endif

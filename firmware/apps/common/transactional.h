/* SPDX-License-Identifier: MIT */
/*
 * What host programs of apps with transactions share: the forms in which they synchronise (app.sync), and how they lay out
 * what threads share (app.layout). Kernels have the forms from atomically.h.
 */
#ifndef TRANSACTIONAL_H
#define TRANSACTIONAL_H

#include "granule.h"
#include "host_check.h"

/* The index of an option's value in a list of names. */
static inline uint32_t host_choice(const char *option, const char *value, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(value, names[i]))
            return i;
    char known[128] = "";
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(known);
        hd_check(length + strlen(names[i]) + 3 < sizeof known, "option %s has too many values", option);
        memcpy(known + length, ", ", i ? 2 : 0);
        memcpy(known + length + (i ? 2 : 0), names[i], strlen(names[i]) + 1);
    }
    hd_fail("option %s is '%s'; it must be one of %s", option, value, known);
}

#define HOST_CHOICE(option, value, names) host_choice(option, value, names, sizeof(names) / sizeof *(names))

/* The forms that each such app has; an app with more numbers them from HOST_FORM_COUNT and lists them behind
 * HOST_FORM_NAMES. */
enum { HOST_TM, HOST_LOCKS, HOST_COARSE, HOST_SERIAL, HOST_FORM_COUNT };
#define HOST_FORM_NAMES [HOST_TM] = "tm", [HOST_LOCKS] = "locks", [HOST_COARSE] = "coarse", [HOST_SERIAL] = "serial"

static inline uint32_t host_form(const char *sync)
{
    static const char *const names[] = {HOST_FORM_NAMES};
    return HOST_CHOICE("sync", sync, names);
}

/* Of layouts: `packed` as published, or `padded`, each object in granules of its own. */
static inline uint32_t host_is_padded(const char *layout)
{
    static const char *const names[] = {"packed", "padded"};
    return HOST_CHOICE("layout", layout, names);
}

#endif

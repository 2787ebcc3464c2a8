/* SPDX-License-Identifier: MIT */
/* Skeletons for `heddle new`: a folder of templates, copied with their words filled in. */
#ifndef HD_NEW_H
#define HD_NEW_H

#include <stddef.h>

/* @name@ in a template, in its file name too, becomes the value. */
typedef struct template_word {
    const char *name; /* "@name@" */
    const char *value;
} template_word;

/* text with every word replaced; to be freed. */
char *template_fill(const char *text, const template_word *words, size_t count);

/*
 * Copies all files of the folder into `target`, which is made and must not be there. Returns 0 after it has said why on
 * stderr; what was made until then stays.
 */
int template_copy(const char *folder, const char *target, const template_word *words, size_t count);

#endif

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

/* What has been made so far. Whatever ends the command before all of it is there, nothing of it stays. */
#define MADE_MAX 32u
typedef struct made_files {
    char *paths[MADE_MAX]; /* of temporary_file.h */
    size_t count;
} made_files;

/* Returns good. Not good: removes everything. */
int made_files_end(made_files *made, int good);

/* Copies all files of the folder into `target`, which is made and must not be there. Returns 0 after it has said why on
 * stderr. */
int template_copy(made_files *made, const char *folder, const char *target, const template_word *words, size_t count);

/* The same into a folder that is there. */
int template_add(made_files *made, const char *folder, const char *target, const template_word *words, size_t count);

/* The same for one of its files, into a folder that is there. */
int template_copy_file(made_files *made, const char *folder, const char *name, const char *target,
                       const template_word *words, size_t count);

/* The whole file, to be freed; NULL if it cannot be read. */
char *template_read(const char *path);

/* A folder among what is made. Returns 0 after it has said why on stderr. */
int made_folder(made_files *made, const char *path);

/* Are there units of this kind? Returns 0 after it has said which there are. */
int new_unit_kind(const char *word);
/* A unit of the kind from the templates of the folder into the source folder. words[0] is the name. Returns 0 after it has
 * said why. */
int new_unit(const char *kind, const char *folder, const char *source, const template_word *words, size_t count);

#endif

/* SPDX-License-Identifier: MIT */
/* Temporary folders and what is in them. */
#ifndef SYSTEM_FOLDER_H
#define SYSTEM_FOLDER_H

#include <stddef.h>

/* A new empty folder; to be given to folder_remove. */
char *folder_new(void);
/* With all files in it; folders in it as well. Frees the name. */
void folder_remove(char *folder);

/* "folder/name", to be freed. */
char *path_in(const char *folder, const char *name);
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Names of all entries, hidden ones too, in order, each followed by a space; to be freed. */
char *folder_list(const char *folder);

/* To be freed; bytes may be NULL. NULL if there is no such file. */
char *file_read(const char *path, size_t *bytes);
void file_write(const char *path, const char *data, size_t bytes);
void file_copy(const char *from, const char *to);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Files and folders that are there only until this process is done with them. All of them are in one list, so that nothing is left of a
 * process that a signal ends.
 */
#ifndef HD_TEMPORARY_FILE_H
#define HD_TEMPORARY_FILE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a file in the folder of the path `beside`: it was not there before, so nobody else's and no link. Its name is short
 * and says nothing of that path. Returns a descriptor to read and write, and *path, to be given to temporary_file_rename or
 * temporary_file_remove; or -1 and errno. */
int temporary_file_create(const char *beside, char **path);

/* It takes the place of what `name` was, and is temporary no more. Returns 1 and frees the path; or 0 and errno. */
int temporary_file_rename(char *path, const char *name);

/* Removes it, and frees the path. NULL is allowed. errno stays what it was. */
void temporary_file_remove(char *path);

/* Makes a folder of this user alone, likewise, for temporary_file_rename or temporary_folder_remove. NULL and errno. */
char *temporary_folder_create(const char *beside);
/* With all that is in it. Frees the path. errno stays what it was. */
void temporary_folder_remove(char *path);

/* A file or folder that the caller makes, under the name that it is to keep if all goes well. The path is copied;
 * returned is what temporary_file_keep or temporary_file_remove takes. */
char *temporary_file_note(const char *path);
void temporary_file_keep(char *path);

/* Removes all that are left, the latest first. For handlers of signals: calls only what is safe there, and does
 * nothing in a process that was forked. */
void temporary_files_remove(void);

#ifdef __cplusplus
}
#endif

#endif

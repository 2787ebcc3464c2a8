/* SPDX-License-Identifier: MIT */
/* Shared objects that users bring: plug-ins, and the host programs of apps. */
#ifndef HD_LIBRARY_H
#define HD_LIBRARY_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Loads the shared object at that path, which has a '/', and notes it as read (input_file.h). NULL: *reason says why, without the
 * path, to be freed. A file that has been cut short is refused, not mapped: whoever reads behind the end of a file is killed.
 */
void *hd_library_open(const char *path, char **reason);
/* Another instance of one that is open, with variables of its own. *file is to be closed after it. */
void *hd_library_open_again(const char *path, int *file, char **reason);

#ifdef __cplusplus
}
#endif

#endif

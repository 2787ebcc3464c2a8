/* SPDX-License-Identifier: MIT */
#ifndef FOLDERS_H
#define FOLDERS_H

/* With all folders above it. Returns 1, also if it is there; or 0 and errno. */
int folder_make(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FOLDERS_H
#define FOLDERS_H

/* With all folders above it. Returns 1, also if it is there; or 0 and errno. */
int folder_make(const char *path);
/* With all that is in it. errno stays what it was. May be called by a handler of signals. */
void folder_remove(const char *path);

#endif

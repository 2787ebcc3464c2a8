/* SPDX-License-Identifier: MIT */
/* Apps that come as sources. */
#ifndef HD_APP_BUILD_H
#define HD_APP_BUILD_H

/*
 * A folder with host.c and kernel.c and without kernel.elf is built, once for each state of its files, into
 * $XDG_CACHE_HOME/heddle/apps (~/.cache). Returns the folder of the built app, or `folder` itself if there is nothing to
 * build; NULL if it failed, which has been said on stderr. Takes `folder`; the result is to be freed.
 */
char *hd_app_build(char *folder);

#endif

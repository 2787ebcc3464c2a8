/* SPDX-License-Identifier: MIT */
/* Apps that come as sources. */
#ifndef HD_APP_BUILD_H
#define HD_APP_BUILD_H

/*
 * A folder with host.c and kernel.c, and with neither kernel.elf nor host.so, is built into $XDG_CACHE_HOME/heddle/apps
 * (~/.cache), once for each state of all files that the compilers read for it, and of the compilers. Returns the folder of the
 * built app, or `folder` itself if it holds one; NULL if it holds neither or building failed, which has been said on stderr.
 * Takes `folder`; the result is to be freed.
 */
char *hd_app_build(char *folder);

/* The same, of a folder whose app may be an OpenCL program (opencl_app.h), which is `folder` as it is. */
char *hd_app_ready(char *folder);

#endif

/* SPDX-License-Identifier: MIT */
/* Results of earlier compilations, by what went into them. A result is a folder with the image, the log, and which files the source
 * included, whose contents are compared. */
#ifndef KERNELC_CACHE_H
#define KERNELC_CACHE_H

#include "sha256.h"
#include "stages.h"

/* Of source, headers, options, versions and names. */
digest cache_key(const compilation *c);
/* The result, to be freed, and the log; 0: there is none. */
int cache_find(const compilation *c, digest key, kernelc_output *output);
/* Keeps the image and the log of a compilation. What cannot be written is not kept. */
void cache_keep(const compilation *c, digest key, const char *log);

#endif

/* SPDX-License-Identifier: MIT */
/* From sources in CUDA to a program: its device's side for a machine, its host's side for this processor, and the runtime. */
#ifndef HD_CUDA_BUILD_H
#define HD_CUDA_BUILD_H

#include "cuda_words.h"

/* output: the program; with -c the object. folder: for what is in between. An exit code, after it has said on stderr what is wrong. */
int cuda_build(cuda_words *words, const char *output, const char *folder);

#endif

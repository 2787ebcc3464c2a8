/* SPDX-License-Identifier: MIT */
/* What a program has left in a file of results. */
#ifndef HD_OPENCL_RESULTS_H
#define HD_OPENCL_RESULTS_H

#include <stdio.h>

/* It is not empty: the program has used the device, and ended in order. */
int opencl_results_are_there(const char *path);
/* A line per kernel, and the error that the machine has stopped with, if it has: then 0. out NULL: nothing is shown. */
int opencl_results_show(const char *path, FILE *out);

#endif

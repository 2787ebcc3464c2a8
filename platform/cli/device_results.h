/* SPDX-License-Identifier: MIT */
/* What a program has left in a file of results. */
#ifndef HD_DEVICE_RESULTS_H
#define HD_DEVICE_RESULTS_H

#include <stdio.h>

/* It is not empty: the program has used the device, and ended in order. */
int device_results_are_there(const char *path);
/* A line per kernel, and the error that the machine has stopped with, if it has: then 0. out NULL: nothing is shown. */
int device_results_show(const char *path, FILE *out);

#endif

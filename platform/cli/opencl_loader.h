/* SPDX-License-Identifier: MIT */
/* How a program that uses OpenCL finds Heddle. */
#ifndef HD_OPENCL_LOADER_H
#define HD_OPENCL_LOADER_H

#define OPENCL_PREFIX "HEDDLE_OPENCL" /* of variables of the environment */

/* Tells both kinds of loaders that there is no other implementation. The exit code; other than HD_EXIT_PASS after it has said on stderr what
 * is wrong. */
int opencl_loader_set(void);

#endif

/* SPDX-License-Identifier: MIT */
/* The first line of a compiled program, and of a library. What follows is LLVM's text, in which it is a comment. */
#ifndef KERNELC_OBJECT_FORMAT_H
#define KERNELC_OBJECT_FORMAT_H

#define OBJECT_LINE "; heddle.opencl 1 object\n"
#define LIBRARY_LINE "; heddle.opencl 1 library\n"

#endif

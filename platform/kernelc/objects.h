/* SPDX-License-Identifier: MIT */
/*
 * Compiled programs that are to be linked: what the front end says of a program, LLVM's text behind a line that says what it is. All
 * else is done when they have been linked, since only then is it known which function calls which.
 */
#ifndef KERNELC_OBJECTS_H
#define KERNELC_OBJECTS_H

#include "stages.h"

/* Of what the front end has written, as FILE_IMAGE. A function that is `inline` may be in several objects. */
kernelc_outcome objects_make(compilation *c);
/* All objects of the input become one text, as the front end would have written it. */
kernelc_outcome objects_join(compilation *c);
/* Of that a library, as FILE_IMAGE. */
kernelc_outcome objects_make_library(compilation *c);

#endif

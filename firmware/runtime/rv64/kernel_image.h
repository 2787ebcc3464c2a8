/* SPDX-License-Identifier: MIT */
/* The app's kernels, linked into the firmware as the ELF file that they are: segments and symbols, nothing decoded. */
#ifndef HEDDLE_FIRMWARE_KERNEL_IMAGE_H
#define HEDDLE_FIRMWARE_KERNEL_IMAGE_H

struct isa_program;

/* NULL: there are none. The file has been checked when the machine loaded it. */
const struct isa_program *kernel_image_open(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Programs of firmware/vector, as an operating system puts them into the memory of a thread. */
#ifndef TESTS_VEC_CORE_IMAGE_H
#define TESTS_VEC_CORE_IMAGE_H

#include <stdint.h>

/* Copies the program into memory, which begins at 0x10000000; returns its entry. Aborts the test if there is none. */
uint32_t image_load(const char *name, uint8_t *memory, uint32_t bytes);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TEXT_YAML_TEXT_H
#define TEXT_YAML_TEXT_H

#include <stdio.h>

/* Text (UTF-8) as a YAML value, in quotes where it needs them. */
void yaml_write_text(const char *text, FILE *out);

#endif

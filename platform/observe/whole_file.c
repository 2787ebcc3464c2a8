/* SPDX-License-Identifier: MIT */
#include "whole_file.h"

#include "output_file.h"

uint32_t hd_whole_file_check(const char *path)
{
    return output_file_check(path);
}

uint32_t hd_whole_file_write(const char *path, const char *text, size_t bytes)
{
    output_file *file = output_file_open(path);
    output_file_put(file, text, bytes);
    return output_file_finish(file);
}

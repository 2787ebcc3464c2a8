/* SPDX-License-Identifier: MIT */
#include "report_file.h"

#include <errno.h>

#include "output_file.h"
#include "store_errors.h"
#include "whole_file.h"

static int failed(const char *path, char **error)
{
    *error =
        store_error_text(STORE_ERROR_OUTPUT, "the report cannot be written to %s: %s", path, output_file_reason(errno));
    return 0;
}

int report_file_check(const char *path, char **error)
{
    return hd_whole_file_check(path) ? 1 : failed(path, error);
}

int report_file_write(const char *path, const char *page, size_t bytes, char **error)
{
    return hd_whole_file_write(path, page, bytes) ? 1 : failed(path, error);
}

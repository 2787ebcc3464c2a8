/* SPDX-License-Identifier: MIT */
#include "runtime.h"

#include <string.h>

cl_int info_give(const info_answer *to, const void *data, size_t bytes)
{
    if (to->value && to->size < bytes)
        return CL_INVALID_VALUE;
    if (to->value && bytes)
        memcpy(to->value, data, bytes);
    if (to->size_needed)
        *to->size_needed = bytes;
    return CL_SUCCESS;
}

static cl_int give_text(const info_answer *to, const char *text)
{
    return info_give(to, text ? text : "", text ? strlen(text) + 1 : 1);
}

static cl_int give_row(const info_answer *to, const info_row *row, const void *object)
{
    const void *at = (const uint8_t *)object + row->offset;
    const info_list *list = at;
    switch (row->form) {
    case INFO_PLAIN: return info_give(to, at, row->bytes);
    case INFO_STRING: return give_text(to, *(const char *const *)at);
    default: return info_give(to, list->data, list->bytes);
    }
}

cl_int info_look_up(const info_answer *to, const info_row *rows, size_t count, cl_uint query, const void *object)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].query == query)
            return give_row(to, &rows[i], object);
    return CL_INVALID_VALUE;
}

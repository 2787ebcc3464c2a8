/* SPDX-License-Identifier: MIT */
#include "quotient.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

quotient quotient_of(const char *name)
{
    const char *sign = strstr(name, QUOTIENT_SIGN);
    const size_t bytes = sign ? (size_t)(sign - name) : strlen(name);
    return (quotient){hd_text_format("%.*s", (int)bytes, name), sign ? sign + strlen(QUOTIENT_SIGN) : NULL};
}

void quotient_free(quotient *parts)
{
    free(parts->dividend);
    *parts = (quotient){0};
}

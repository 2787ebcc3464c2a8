/* SPDX-License-Identifier: MIT */
/* The numbers of the errors of a netlist, for report_error (diagnostics.h). */
#ifndef NETLIST_ERRORS_H
#define NETLIST_ERRORS_H

enum netlist_error {
#define NETLIST_ERROR(number, name, meaning) ERROR_##name = number,
#include "errors.def"
#undef NETLIST_ERROR
};

#endif

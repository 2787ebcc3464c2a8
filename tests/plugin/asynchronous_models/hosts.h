// SPDX-License-Identifier: MIT
// The hosts of this plug-in.
#ifndef HOSTS_H
#define HOSTS_H

#include "heddle_systemc.h"

extern const heddle_systemc_model threaded_host_model, socket_host_model;

#endif

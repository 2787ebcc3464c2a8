// SPDX-License-Identifier: MIT
// What the hosts here run, in a thread or in another process: C++ that knows a bus, and neither SystemC nor Heddle's platform.
#ifndef HOST_PROGRAM_H
#define HOST_PROGRAM_H

#include <functional>

#include "peer_message.h"

// Carries an access out, data included; false: there is no bus any more.
using host_bus = std::function<bool(peer_message &)>;

// Finds the device, writes to its memory and reads it back, and ends by the exit device: with PASS, or FAIL if something is wrong.
void run_host_program(const host_bus &bus);

#endif

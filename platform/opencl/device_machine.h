/* SPDX-License-Identifier: MIT */
/* Private to platform/opencl: a device that is a machine behind heddle.h. */
#ifndef OPENCL_DEVICE_MACHINE_H
#define OPENCL_DEVICE_MACHINE_H

#include "device.h"
#include "heddle.h"

struct device {
    heddle_machine *machine;
    device_lane *lanes;
    uint32_t lane_count;
    char *name;    /* "Heddle gtx480" */
    char *message; /* of the latest error; NULL: none */
};

/* Keeps the message of an error. */
device_error device_error_from(device *of, heddle_error error);

#endif

/* SPDX-License-Identifier: MIT */
/* The version of CUDA whose names are here. There is no driver API. */
#ifndef HEDDLE_CUDA_H
#define HEDDLE_CUDA_H

#define CUDA_VERSION 11080

#endif

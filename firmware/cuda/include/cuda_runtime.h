/* SPDX-License-Identifier: MIT */
/* CUDA for Heddle: the runtime's functions by the types of C++, and in a file of CUDA what kernels have. */
#ifndef HEDDLE_CUDA_RUNTIME_H
#define HEDDLE_CUDA_RUNTIME_H

#ifdef __CUDA__
#include <__clang_cuda_math_forward_declares.h> /* before cmath */
/* As programs find them with nvcc. */
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#endif

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "heddle_cuda_overloads.h"
#include "heddle_cuda_refused.h"
#endif

#ifdef __CUDA__
#include "heddle_cuda_device.h"
#endif

#endif

#!/bin/sh
# SPDX-License-Identifier: MIT
# nvcc by its name, for makefiles: with CUDA_DIR=.../share/heddle/cuda they find it as bin/nvcc, include and lib64.
here=$(dirname "$(realpath "$0")")
for heddle in "$here/../../heddle" "$here/../../../../bin/heddle"; do
    [ -x "$heddle" ] && exec "$heddle" cudac "$@"
done
echo "nvcc: heddle is not where it was installed" >&2
exit 2

/* SPDX-License-Identifier: MIT */
#error "Heddle has no arithmetic of 16 bits in CUDA"

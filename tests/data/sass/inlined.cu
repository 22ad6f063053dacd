// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Code inlined twice, for the test of instrument/cupti/line_table.h:
//   nvcc -arch=sm_90 -lineinfo -cubin inlined.cu -o inlined.cubin
__device__ float inner(const float* from) {
    return *from * 2.0f;
}
__device__ float outer(const float* from) {
    return inner(from + 32);
}
extern "C" __global__ void inlined(const float* in, float* out) {
    out[threadIdx.x] = outer(in + threadIdx.x);
}
extern "C" __global__ void plain(float* out) {
    out[threadIdx.x] = 1.0f;
}

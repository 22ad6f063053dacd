// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files beside it were made of, with nvcc 13.0 and MODE none, speed and size:
//   nvcc -fatbin --compress-mode=MODE -gencode arch=compute_75,code=compute_75 -gencode
//   arch=compute_80,code=sm_80
//        -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90a,code=compute_90a two_kernels.cu
//        -o two_kernels_MODE.fatbin
// -Xptxas -v says:
//   stacked   8 registers for sm_80, 10 for sm_90; 256 bytes stack frame
//   smoother 12 registers, 1024 bytes smem
extern "C" __global__ void stacked(int* out, int k) {
    volatile int local[64];
#pragma unroll 1
    for (int i = 0; i < 64; ++i)
        local[(i * k) & 63] = i * k;
    out[threadIdx.x] = local[(k + threadIdx.x) & 63];
}

extern "C" __global__ void smoother(const float* in, float* out) {
    __shared__ float s[256];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + s[(threadIdx.x + 1) & 255];
}

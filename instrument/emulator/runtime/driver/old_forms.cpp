// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Forms of functions that CUDA 13's header no longer declares under their name: programs built with CUDA 12
// call them.

#include "instrument/emulator/runtime/driver/driver.h"

#undef cuEventElapsedTime
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuStreamBeginCapture

using dormer::emulator::runtime::driver::inContext;

namespace {

cudaMemLocation placeOf(CUdevice device) {
    if (device == CU_DEVICE_CPU) return {cudaMemLocationTypeHost, 0};
    return {cudaMemLocationTypeDevice, device};
}

} // namespace

extern "C" {

CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
    return cuEventElapsedTime_v2(milliseconds, begin, end);
}

CUresult cuStreamBeginCapture(CUstream stream) {
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuMemAdvise(CUdeviceptr pointer, std::size_t bytes, CUmem_advise advice, CUdevice device) {
    return inContext([&] {
        return cudaMemAdvise(reinterpret_cast<void*>(pointer), bytes, static_cast<cudaMemoryAdvise>(advice),
                             placeOf(device));
    });
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, std::size_t bytes, CUdevice device, CUstream stream) {
    return inContext([&] {
        return cudaMemPrefetchAsync(reinterpret_cast<void*>(pointer), bytes, placeOf(device), 0, stream);
    });
}

} // extern "C"

DORMER_PER_THREAD(cuMemPrefetchAsync, ptsz);

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/host/cupti_error.h"

#include <cuda.h>
#include <cupti.h>

namespace dormer::instrument::cupti::host {

void throwCuptiError(const char* expression, CUptiResult result) {
    const char* text = nullptr;
    if (cuptiGetResultString(result, &text) != CUPTI_SUCCESS || text == nullptr) text = "unknown CUPTI error";
    throw CallError(expression, result, text);
}

void throwCudaError(const char* expression, int result) {
    throw CallError(expression, result, "CUDA driver error");
}

Error countersRefused(const CallError& error) {
    switch (error.code()) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return {ErrorKind::Device,
                "no permission for hardware counters: run 'dormer doctor' for the exact remedy (on the host: "
                "load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0; in a container: start it "
                "with "
                "--cap-add=SYS_ADMIN)"};
    case CUPTI_ERROR_HARDWARE_BUSY:
        return {ErrorKind::Device,
                "the hardware counters are held by another tool: look for a running ncu, nsys, dcgm "
                "or another dormer, stop it (dcgmi profiling --pause) and try again"};
    default:
        return {ErrorKind::Device, error.what()};
    }
}

} // namespace dormer::instrument::cupti::host

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

} // namespace dormer::instrument::cupti::host

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <cupti_result.h>

#include <stdexcept>
#include <string>

namespace dormer::instrument::cupti::host {

/// A CUPTI or CUDA driver call that failed; keeps the call's text and its code. Private to the collector:
/// public functions turn it into Result or a Note.
class CallError : public std::runtime_error {
public:
    CallError(const char* expression, int code, const std::string& meaning)
        : std::runtime_error(std::string(expression) + " failed: " + meaning + " (" + std::to_string(code) +
                             ")")
        , m_code(code) {}
    [[nodiscard]] int code() const { return m_code; }

private:
    int m_code;
};

/// Why counters can't be had, with the remedy where one is known: permission, another tool that holds them.
[[nodiscard]] Error countersRefused(const CallError& error);

void throwCuptiError(const char* expression, CUptiResult result);
void throwCudaError(const char* expression, int result);

} // namespace dormer::instrument::cupti::host

#define DORMER_CUPTI(call)                                                                                   \
    do {                                                                                                     \
        const CUptiResult dormerResult = (call);                                                             \
        if (dormerResult != CUPTI_SUCCESS)                                                                   \
            ::dormer::instrument::cupti::host::throwCuptiError(#call, dormerResult);                         \
    } while (false)

#define DORMER_CUDA(call)                                                                                    \
    do {                                                                                                     \
        const CUresult dormerResult = (call);                                                                \
        if (dormerResult != CUDA_SUCCESS)                                                                    \
            ::dormer::instrument::cupti::host::throwCudaError(#call, dormerResult);                          \
    } while (false)

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/driver/arguments.h"

#include "instrument/emulator/runtime/runtime.h"

namespace dormer::emulator::runtime::driver {

std::optional<std::vector<void*>> argumentsOf(CUfunction function, void** extra) {
    std::byte* buffer = nullptr;
    const std::size_t* bytes = nullptr;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = static_cast<std::byte*>(extra[1]);
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = static_cast<const std::size_t*>(extra[1]);
        else
            return std::nullopt;
    }
    const Outcome<Function*> found = Runtime::instance().modules().function(function);
    if (!found || buffer == nullptr || bytes == nullptr) return std::nullopt;
    std::vector<void*> arguments;
    for (const auto& parameter : (*found)->kernel->facts().parameters) {
        if (parameter.offset + parameter.bytes > *bytes) return std::nullopt;
        arguments.push_back(buffer + parameter.offset);
    }
    return arguments;
}

} // namespace dormer::emulator::runtime::driver

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/fault.h"

#include <fmt/format.h>

namespace dormer::emulator::memory {

std::string describe(const Fault& fault) {
    std::string text = fmt::format("{}: {}", fault.kernel, fault.detail);
    if (!fault.place.empty()) text += fmt::format(", at {}", fault.place);
    return text + fmt::format(", block ({},{},{}), thread ({},{},{})", fault.block.x, fault.block.y,
                              fault.block.z, fault.thread.x, fault.thread.y, fault.thread.z);
}

} // namespace dormer::emulator::memory

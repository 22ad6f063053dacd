// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/kinds.h"

#include <array>

namespace dormer::session {

namespace {

/// `names` are in the order of the enumerators.
template <Keyword K>
std::string_view nameOf(const std::array<std::string_view, static_cast<std::size_t>(K::Unknown) + 1>& names,
                        K value) {
    return names[static_cast<std::size_t>(value)];
}

} // namespace

std::string_view toString(MemorySpace space) {
    return nameOf({"", "global", "shared", "local", "constant", "texture", "generic", "unknown"}, space);
}
std::string_view toString(MemoryOperation op) {
    return nameOf({"", "load", "store", "atomic", "reduction", "copy", "branch", "unknown"}, op);
}
std::string_view toString(TransferKind kind) {
    return nameOf({"", "copy", "fill", "migration", "gpu_fault", "cpu_fault", "unknown"}, kind);
}
std::string_view toString(TransferDirection direction) {
    return nameOf(
        {"", "host_to_device", "device_to_host", "device_to_device", "host_to_host", "peer", "unknown"},
        direction);
}
std::string_view toString(MemoryKind memory) {
    return nameOf({"", "pageable", "pinned", "managed", "device", "array", "unknown"}, memory);
}
std::string_view toString(CodeLanguage language) {
    return nameOf({"", "sass", "ptx", "unknown"}, language);
}
std::string_view toString(CounterMethod method) {
    return nameOf({"", "sampled", "counted", "unknown"}, method);
}

} // namespace dormer::session

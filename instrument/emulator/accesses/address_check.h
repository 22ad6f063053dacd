// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/warp.h"

#include <string>

namespace dormer::emulator::accesses {

/// What an access does, for messages.
struct AccessText {
    const char* verb = "access"; ///< "load", "store", "atomic"
    unsigned width = 4;
};

/// The slow path of the check of global addresses: looks each lane's allocation up, remembers it for the
/// instruction when all lanes share one. Throws FaultSignal for the first lane outside every allocation or
/// not aligned.
void checkGlobal(exec::WarpState& w, const instructions::Inst& in, const std::uint64_t* addresses,
                 std::uint32_t mask, const AccessText& access);
/// Places in host memory of lanes that access the shared memory of blocks of their cluster, by the addresses
/// that mapa gives. False when one of them leads to none.
[[nodiscard]] bool clusterHosts(const exec::WarpState& w, const std::uint64_t* addresses, std::uint32_t mask,
                                unsigned width, std::byte** hosts);
[[noreturn]] void failShared(const exec::WarpState& w, const std::uint64_t* addresses, std::uint32_t mask,
                             const AccessText& access);
[[noreturn]] void failLocal(const exec::WarpState& w, const std::uint64_t* addresses, std::uint32_t mask,
                            const AccessText& access);
[[noreturn]] void failParameter(const std::uint64_t* addresses, std::uint32_t mask, const AccessText& access);

} // namespace dormer::emulator::accesses

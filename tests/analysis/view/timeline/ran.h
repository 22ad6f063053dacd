// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "tests/support/recorded_h200.h"

namespace dormer::tests {

/// A session of what ran when on one GPU; times in ns after kBegin.
struct Ran {
    static constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;
    session::Session session;

    explicit Ran(session::Origin origin = session::Origin::Measured) {
        session::Process process;
        process.origin = origin;
        session.apply(session::ProcessStart{process});
        session.apply(h100Sxm());
        session::Kernel kernel;
        kernel.name = "work";
        session.apply(kernel);
    }
    void add(session::Launch launch) {
        launch.id = session.launches().size();
        session.apply(launch);
    }
    void launch(std::int64_t at, double ns, session::Launch launch = {}) {
        launch.startNs = kBegin + at;
        launch.durationNs = ns;
        if (launch.calledNs != 0) launch.calledNs += kBegin;
        if (launch.waitedUntilNs != 0) launch.waitedUntilNs += kBegin;
        add(launch);
    }
    /// A launch that was called then, by a thread that had waited for the GPU until then.
    [[nodiscard]] static session::Launch called(std::int64_t at, std::int64_t waitedUntil = 0,
                                                std::optional<double> callNs = {}) {
        session::Launch launch;
        launch.calledNs = at;
        launch.waitedUntilNs = waitedUntil;
        launch.callNs = callNs;
        return launch;
    }
    [[nodiscard]] static session::Launch inStream(std::uint64_t stream) {
        session::Launch launch;
        launch.stream = stream;
        return launch;
    }
    [[nodiscard]] static session::Transfer copy(std::int64_t at, std::int64_t ns) {
        session::Transfer copy;
        copy.kind = session::TransferKind::Copy;
        copy.startNs = kBegin + at;
        copy.endNs = kBegin + at + ns;
        copy.durationNs = static_cast<double>(ns);
        return copy;
    }
};

} // namespace dormer::tests

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dormer::instrument::cupti::activity {

/// Marks driver calls the collector makes itself, so that its callbacks let them pass: they come back on the
/// same thread while the collector's lock is held.
class OwnCalls {
public:
    OwnCalls() { ++depth(); }
    ~OwnCalls() { --depth(); }
    OwnCalls(const OwnCalls&) = delete;
    OwnCalls& operator=(const OwnCalls&) = delete;
    [[nodiscard]] static bool active() { return depth() > 0; }

private:
    static int& depth() {
        thread_local int value = 0;
        return value;
    }
};

} // namespace dormer::instrument::cupti::activity

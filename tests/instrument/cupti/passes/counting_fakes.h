// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <set>

namespace dormer::tests {

/// CUPTI's range profiler as it was seen to be (CUDA 13.0, H200): three passes, each of which counts one
/// counter, by ranges of any name and order; a range that a pass lacks lacks that pass's counter. A range of
/// a kernel that still runs can't be closed: the fake says so where CUPTI would wait for ever.
class CountingGpu : public instrument::cupti::passes::CounterBackend {
public:
    static constexpr int kPasses = 3;

    Result<void> configure(std::size_t) override {
        pass = -1;
        values.clear();
        ++configured;
        return {};
    }
    int passes() const override { return kPasses; }
    Result<void> startPass() override {
        if (isOpen) return failure(ErrorKind::Device, "a pass is open");
        if (!broken.empty()) return failure(ErrorKind::Device, broken);
        isOpen = true;
        ++pass;
        return {};
    }
    Result<void> pushRange(const std::string& name) override {
        if (!isOpen || !range.empty()) return failure(ErrorKind::Device, "no range can begin");
        range = name;
        return {};
    }
    Result<void> popRange() override {
        if (runs > 0) return failure(ErrorKind::Device, "would wait for a kernel that runs");
        if (range.empty()) return failure(ErrorKind::Device, "no range is open");
        range.clear();
        return {};
    }
    Result<bool> stopPass() override {
        if (!isOpen || !range.empty()) return failure(ErrorKind::Device, "no pass can end");
        isOpen = false;
        return pass + 1 == kPasses;
    }
    Result<std::map<std::string, std::map<std::string, double>>> decode() override { return values; }

    /// A kernel is launched that does so much.
    void launch(double work) {
        if (isOpen && !range.empty()) values[range]["counter" + std::to_string(pass)] += work;
    }

    std::map<std::string, std::map<std::string, double>> values;
    std::string range, broken;
    int pass = -1, configured = 0;
    bool isOpen = false;
    int runs = 0; ///< kernels under way
};

} // namespace dormer::tests

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sass/elf_image.h"

#include <mutex>
#include <set>
#include <string>

namespace dormer::instrument::cupti {

/// Kernels of the modules that the process has loaded which call the device's printf: run twice, they would
/// print twice. Thread-safe: modules load on any thread.
class PrintingKernels {
public:
    /// The process' own; lives until its end.
    [[nodiscard]] static PrintingKernels& instance();

    void add(sass::Bytes module);
    [[nodiscard]] bool has(const std::string& mangledName);

private:
    std::mutex m_mutex;
    std::set<std::string> m_names;
};

} // namespace dormer::instrument::cupti

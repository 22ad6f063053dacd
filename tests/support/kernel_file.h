// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace dormer::tests {

/// PTX of tests/data/kernels/NAME.ptx.
inline std::string kernelFile(const std::string& name) {
    std::ifstream file(std::string(DORMER_TEST_DATA) + "/kernels/" + name + ".ptx");
    if (!file) throw std::runtime_error("no tests/data/kernels/" + name + ".ptx");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace dormer::tests

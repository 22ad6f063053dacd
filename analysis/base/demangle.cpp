// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>

namespace dormer::base {

std::string demangled(const std::string& mangled) {
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    if (status != 0 || text == nullptr) return mangled;
    std::string name(text);
    std::free(text); // NOLINT: __cxa_demangle hands over malloc'ed memory
    return name;
}

} // namespace dormer::base

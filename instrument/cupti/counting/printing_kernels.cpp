// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/counting/printing_kernels.h"

#include "instrument/cupti/sass/call_graph.h"

#include <iterator>

namespace dormer::instrument::cupti {

PrintingKernels& PrintingKernels::instance() {
    static auto* const kernels = new PrintingKernels; // CUPTI calls back until the process ends
    return *kernels;
}

void PrintingKernels::add(sass::Bytes module) {
    std::vector<std::string> names = sass::callersOf(module, "vprintf");
    const std::lock_guard lock(m_mutex);
    m_names.insert(std::make_move_iterator(names.begin()), std::make_move_iterator(names.end()));
}

bool PrintingKernels::has(const std::string& mangledName) {
    const std::lock_guard lock(m_mutex);
    return m_names.contains(mangledName);
}

} // namespace dormer::instrument::cupti

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// What users of a library call one of its kernels, by the rules of library_names.cpp: of PyTorch's
/// elementwise kernels the operation, of CUTLASS's the configuration. `parts` is the qualified name, not
/// empty, `arguments` the last template argument list, "<4, F>", or empty. Nothing for a kernel of no known
/// library. Linear in the lengths.
[[nodiscard]] std::optional<std::string> libraryName(const std::vector<std::string>& parts,
                                                     std::string_view arguments);

/// A generated identifier without what every kernel of its library carries: "..._execute_kernel__5x_cudnn",
/// Triton's "_0d1d2de".
[[nodiscard]] std::string withoutGeneratedEnd(std::string_view identifier);

} // namespace dormer::session

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/check/gate.h"

#include <nlohmann/json_fwd.hpp>

namespace dormer::check {

/// Broken and skipped rules, a line each with its place, then a summary.
[[nodiscard]] std::string gateText(const Gate& gate);
[[nodiscard]] nlohmann::json gateJson(const Gate& gate);
/// A test case per rule and kernel, as CI systems show them.
[[nodiscard]] std::string gateJunit(const Gate& gate);
/// SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0): broken rules only. Files below `root` are told
/// relative to it, as code scanning needs them.
[[nodiscard]] nlohmann::json gateSarif(const Gate& gate, const std::string& root, const std::string& version);
/// Workflow commands of GitHub Actions: an annotation per broken rule, at its line. Files as for SARIF.
[[nodiscard]] std::string gateAnnotations(const Gate& gate, const std::string& root);

} // namespace dormer::check

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

/// Hands a known answer to the collector; does nothing outside Dormer, where nobody counts.
void reportExpectation(const std::string& path, const Expectation& expectation);

/// Hands a family's sweeps to the collector, then each of the workloads that run with its parameters.
void reportSweeps(const Family& family);
void reportWorkload(const Family& family, const Variant& variant, std::vector<std::string> parameters);

/// Hands a functional result to the collector, or outside Dormer prints it as a line on stdout.
void reportCheck(const std::string& path, const CheckResult& result);

/// True when a collector takes the results: then it, not the exit code, tells of failed checks.
[[nodiscard]] bool collected();

} // namespace dormer::kernels

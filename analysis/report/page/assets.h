// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dormer::report::page {

/// Style sheets and script of the HTML report, embedded when the library is built.
extern const std::string_view kReportStyle;
extern const std::string_view kReportPrintStyle;
extern const std::string_view kReportScript;

} // namespace dormer::report::page

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/browser.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dormer::tests {

// CTest reads these words and counts the test as skipped.
#define REQUIRE_BROWSER(name)                                                                                \
    const auto name = Browser::find();                                                                       \
    if (!name) {                                                                                             \
        WARN("skipped: no Chromium here");                                                                   \
        return;                                                                                              \
    }

/// Opens a page with a script at its end that fills `out`, and returns that. The script has all(), one(),
/// shown() and named(), and may `await settled()`. Checks that the page threw, logged, loaded and was refused
/// nothing.
[[nodiscard]] nlohmann::json probe(const Browser& browser, const std::string& html, const std::string& script,
                                   bool dark = false, int width = 1440);

} // namespace dormer::tests

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <QString>

#include <string_view>

namespace dormer::ui::look {

/// Title and meaning of a catalogue metric as a tooltip's rich text; empty when there is no such metric.
[[nodiscard]] QString definitionOf(std::string_view metric);
/// A dash, as shown for numbers that are not known.
[[nodiscard]] QString dash();
/// `value` with this many decimals, '.' and no digit grouping, as columns need it.
[[nodiscard]] QString fixed(double value, int decimals);

} // namespace dormer::ui::look

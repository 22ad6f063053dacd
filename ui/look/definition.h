// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <QString>

#include <string_view>

namespace dormer::ui::look {

/// Title and meaning of a catalogue metric as a tooltip's rich text; empty when there is no such metric.
[[nodiscard]] QString definitionOf(std::string_view metric);

} // namespace dormer::ui::look

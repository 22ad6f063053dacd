// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chart_feed.h"

#include <QString>

namespace dormer::ui {

/// Rich text for the launch under the pointer: name, verdict, intensity, rate and its share of the roof,
/// time, and how many launches share the marker.
[[nodiscard]] QString chartTooltip(const SessionHub& hub, const ChartFeed& feed, const Marker& marker);

} // namespace dormer::ui

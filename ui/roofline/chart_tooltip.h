// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/roofline/chart_feed.h"

#include <QString>

namespace dormer::ui::roofline {

/// Rich text for the launch under the pointer: name, verdict, intensity, rate and its share of the roof,
/// time, and how many launches share the marker.
[[nodiscard]] QString chartTooltip(const sessions::SessionHub& hub, const ChartFeed& feed,
                                   const Marker& marker);

} // namespace dormer::ui::roofline

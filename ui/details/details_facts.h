// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/details/details_parts.h"

#include <QString>
#include <QStringList>

namespace dormer::ui::details {

// What the details say of one launch, as values; the panel only lays them out.

/// "grid 65536 · block 256 · 16 registers · stream 7 · measured in 5 passes"
[[nodiscard]] QString configurationLine(const session::Session& session, session::LaunchIndex launch);
/// Bars of the resources a launch used, most used first.
[[nodiscard]] std::vector<HeadroomBar> headroom(const session::Session& session, session::LaunchIndex launch,
                                                const verdict::Verdict& verdict);
/// Resources that were counted and used for less than a thousandth of their roof.
[[nodiscard]] QStringList idleResources(const verdict::Verdict& verdict);
/// One sentence a line: passes, cache control, origin, clocks.
[[nodiscard]] QStringList howMeasured(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch);
/// Name and value of every counter the launch has, by name, base units.
[[nodiscard]] std::vector<std::pair<QString, QString>> rawCounters(const session::Session& session,
                                                                   session::LaunchIndex launch);

} // namespace dormer::ui::details

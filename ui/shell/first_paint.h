// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace dormer::ui::shell {

/// For measuring: prints the milliseconds from the start of this process to the first paint of `watched` as
/// one line on stdout, then quits the application. The start comes from /proc and is exact to 10 ms.
void quitAfterFirstPaint(QWidget& watched);

} // namespace dormer::ui::shell

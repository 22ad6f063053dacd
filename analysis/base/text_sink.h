// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace dormer::base {

/// Takes a long text piece by piece. False: no more is wanted, as when the disk is full or the reader gone.
using TextSink = std::function<bool(std::string_view)>;

} // namespace dormer::base

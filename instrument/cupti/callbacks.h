// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dormer::instrument::cupti {

class Collector;

/// Subscribes to kernel launches and hands them to the collector. Failure becomes a note.
void subscribeCallbacks(Collector& collector);

} // namespace dormer::instrument::cupti

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cupti.h>

namespace dormer::instrument::cupti {

class Collector;

/// Asks CUPTI to call back around every function of the driver that apiCallOf() knows. Throws CallError.
void enableMemoryCallbacks(CUpti_SubscriberHandle subscriber);
/// True when the call was one of them.
bool onMemoryCall(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data);

} // namespace dormer::instrument::cupti

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/launch_filter.h"

#include <cupti.h>

namespace dormer::instrument::cupti {

class Collector;

/// Asks CUPTI to call back when graphs are built, made executable and launched. Throws CallError.
void enableGraphCallbacks(CUpti_SubscriberHandle subscriber);
/// True when the call was about a graph.
bool onGraphCall(Collector& collector, CUpti_CallbackId id, const CUpti_CallbackData& data);
void onGraphResource(Collector& collector, CUpti_CallbackId id, const CUpti_ResourceData& data);

/// True while the stream only notes down for a graph what is asked of it: a launch on it is none.
[[nodiscard]] bool isCapturing(const void* stream);
/// The launch that the calling thread is adding to a graph; null after it.
void setCapturedLaunch(const collect::LaunchCall* call);

} // namespace dormer::instrument::cupti

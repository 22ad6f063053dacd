// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/suite_target.h"
#include "instrument/request/program_target.h"

namespace dormer::instrument::request {

/// `dormer run` on another machine, as a target here: what is wrong with the request is said by the dormer
/// there, which knows its devices. The suite's paths may be patterns.
[[nodiscard]] launch::Target remoteSuite(const launch::SuiteRun& run, const CollectRequest& request,
                                         const launch::RemoteChoice& where);
/// `dormer profile` there. A relative program is looked for in the working folder there, else in the home
/// folder. ErrorKind::Usage without a program.
[[nodiscard]] Result<launch::Target> remoteProgram(const ProgramRun& run, const CollectRequest& request,
                                                   const launch::RemoteChoice& where);

} // namespace dormer::instrument::request

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/collect/collect_arguments.h"

#include <filesystem>

namespace dormer::cli {

/// Turns -o into the name of a file: %h is the host, %p this process, %q{VAR} an environment variable, %% a
/// percent sign. A rank of an MPI or Slurm job puts its number in front of the ending where the name has no
/// variable and no process. ErrorKind::Usage for another % and for a variable that is not set.
[[nodiscard]] Result<void> nameOutput(CollectArguments& arguments);

/// The same for a program of someone else's, which may not be so quick to run again: a file that is there is
/// ErrorKind::Usage without --force-overwrite. A rank of a job writes a file without being asked, which would
/// otherwise show its table among those of all others: PROGRAM.HOST.rankN.PID.dormer.
[[nodiscard]] Result<void> nameProfile(CollectArguments& arguments, const std::string& program);

/// ErrorKind::Usage when a file of that name is there, unless it may be replaced.
[[nodiscard]] Result<void> checkFree(const std::filesystem::path& output, bool forceOverwrite);

} // namespace dormer::cli

// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Ranks that launch and then agree on whether all results were right.
#include "tests/support/processes/steps.h"

#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int mine = takeSteps(3), all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return all;
}

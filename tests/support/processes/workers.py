# SPDX-FileCopyrightText: The Dormer authors
# SPDX-License-Identifier: Apache-2.0
"""Takes three steps here and three in each of COUNT worker processes: workers.py LIBRARY COUNT START_METHOD."""

import ctypes
import multiprocessing
import sys


def take_steps(library):
    return ctypes.CDLL(library).takeSteps(3)


def work(library):
    sys.exit(take_steps(library))


if __name__ == "__main__":
    library, count, method = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    failed = take_steps(library)
    workers = [
        multiprocessing.get_context(method).Process(target=work, args=(library,)) for _ in range(count)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        failed = failed or worker.exitcode
    sys.exit(failed)

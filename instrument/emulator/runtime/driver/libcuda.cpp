// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The library libcuda.so.1 is empty. What programs look for in it they find in libcudart.so.13, which it
// needs: there is one emulated device in a process, whichever interface reaches it.

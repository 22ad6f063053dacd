/* SPDX-FileCopyrightText: The Dormer authors
 * SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What a collector inside the target process offers to an instrumented program. Plain C, so that programs and
 * collectors built apart fit together. Used by instrument/dormer.h; programs need not include it. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DORMER_COLLECTOR_ABI 2u
/* Environment variable holding the path of the library that exports dormerCollector. */
#define DORMER_COLLECTOR_ENV "DORMER_COLLECTOR"

typedef struct DormerExpectation {
    const char* workload;
    const char* kernel;   /* only launches whose kernel name holds this; "" = all of the workload */
    const char* metric;   /* metric or counter name; "verdict" with relation "verdict" */
    const char* relation; /* "==", "<=", ">=", "~", "verdict" */
    double value;
    double tolerance; /* relative, for "~" */
    const char* text; /* for "verdict": "memory", "compute", "latency" */
    const char* why;
    int gpuOnly;
    const char*
        reference; /* another workload: `value` is a factor on its metric; "" = `value` stands alone */
} DormerExpectation;

/* What a workload is; all texts UTF-8, none null. */
typedef struct DormerWorkload {
    const char* workload; /* "family/variant" */
    const char* title;
    const char* shows;
    const char* const* parameters; /* "name=value", ended by a null pointer */
    const char* sweep;             /* name of the sweep it is a point of, or "" */
    const char* better;            /* the workload without the fault this one shows, or "" */
    int good;                      /* there is nothing to find in it */
    int wrongByDesign;             /* its result is wrong, which is what it shows */
} DormerWorkload;

/* Workloads that differ in parameters; lists end with a null pointer. */
typedef struct DormerSweep {
    const char* name;
    const char* title;
    const char* const* parameters; /* names of those that vary */
    const char* const* metrics;    /* told of each point; the first is plotted */
    const char* best;              /* "lowest", "highest" of the first metric, or "" */
} DormerSweep;

typedef struct DormerCollector {
    uint32_t abi;
    /* 1: run the sequence (again); 0: every pass is done. A call after 0 starts the next sequence. */
    int (*nextPass)(void);
    /* Names the workload of the launches until popWorkload; calls nest, the innermost counts. */
    void (*pushWorkload)(const char* name);
    void (*popWorkload)(void);
    void (*expect)(const DormerExpectation* expectation);
    void (*check)(const char* workload, int passed, const char* detail);
    void (*workload)(const DormerWorkload* workload);
    void (*sweep)(const DormerSweep* sweep);
} DormerCollector;

/* Null when the collector does not speak this version. The result lives as long as the process. */
const DormerCollector* dormerCollector(uint32_t abi);

#ifdef __cplusplus
}
#endif

// What a compiled unit (reference.so, candidate.so) exports: the only thing the runner knows of a kernel.
//
// The frontend writes the definitions (the harness) behind the unit's text; the runner finds them with dlsym, by the
// types declared here.
// One slot per parameter, in order. For a scalar the slot points to its storage; for a pointer parameter the slot
// *is* the pointer.
#pragma once

extern "C" {

// Calls the kernel. `result` points to storage for a non-void return value, else is ignored.
void hone_call(void* const* slots, void* result);

// Writes the values that problem(…) number `problem` gives to scalars; leaves the others alone.
void hone_problem(unsigned problem, void* const* slots);

// Evaluates every clause expression for the scalars in `slots` (pointer slots may be null): number i goes to
// integers[i] and reals[i], converted to each type.
void hone_evaluate(void* const* slots, long long* integers, double* reals);

// In units of kernels with workload(fn) alone: makes a workload, hands what is timed to `ready` and, when that comes
// back, fills the outputs. `ready` runs it before it returns.
void hone_prepare(void* const* slots, void (*ready)(void* self, void (*run)(void*), void* argument), void* self);

// In units of CUDA alone: takes the CUDA runtime's last error and returns its text, or null where there is none.
const char* hone_device_error();
}

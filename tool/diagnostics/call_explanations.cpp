// How a kernel is called, and what it does that a variant would not.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;
using enum ExampleLanguage;

constexpr Explanation kCallRows[] = {
    {Code::clause_beside_workload, "clause-beside-workload", "A clause says what the workload says itself",
     R"(A workload makes the arguments and hands over what is compared. `in`, `out`, `inout`, `alias`, `fixed`,
`stream` and `launch` have nothing to add. `problem`, `init`, `requires`, `tolerance` and `threads` go with it.)",
     cpp,
     R"(#include <vector>

#include <hone/workload.h>

void twice(std::vector<float>& v);

inline void twice_case(hone::workload& w, int n) {
  std::vector<float> v(n);
  w.fill(v, -1, 1);
  w.time([&] { twice(v); });
  w.close(v);
}

#pragma hone kernel workload(twice_case) inout(v) problem(n=1000)
void twice(std::vector<float>& v) { for (float& one : v) one *= 2; }
)",
     R"(#include <vector>

#include <hone/workload.h>

void twice(std::vector<float>& v);

inline void twice_case(hone::workload& w, int n) {
  std::vector<float> v(n);
  w.fill(v, -1, 1);
  w.time([&] { twice(v); });
  w.close(v);
}

#pragma hone kernel workload(twice_case) problem(n=1000)
void twice(std::vector<float>& v) { for (float& one : v) one *= 2; }
)"},
    {Code::workload_missing, "workload-missing", "The workload is not defined above the kernel",
     R"(The function that `workload` names is looked for as the compiler would, from the kernel outwards. Its body
must be in the file or a header of it. Define it in front of the annotation.)",
     cpp,
     R"(#pragma hone kernel workload(sum_case) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#include <vector>

#include <hone/workload.h>

float sum(const float* x, int n);

inline void sum_case(hone::workload& w, int n) {
  std::vector<float> x(n);
  w.fill(x, -1, 1);
  w.close(w.time([&] { return sum(x.data(), n); }));
}

#pragma hone kernel workload(sum_case) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::workload_signature, "workload-signature", "The function does not take what a workload takes",
     R"(A workload is `void name(hone::workload& w, …)` in C++ and `HONE_WORKLOAD void name(hone_workload *w, …)`
in C. Behind the first parameter it takes numbers with names, to which problems give values. It is static or
outside of classes, and one function of its name.)",
     cpp,
     R"(#include <vector>

float sum(const float* x, int n);

inline void sum_case(int n) {
  std::vector<float> x(n);
  sum(x.data(), n);
}

#pragma hone kernel workload(sum_case) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#include <vector>

#include <hone/workload.h>

float sum(const float* x, int n);

inline void sum_case(hone::workload& w, int n) {
  std::vector<float> x(n);
  w.fill(x, -1, 1);
  w.close(w.time([&] { return sum(x.data(), n); }));
}

#pragma hone kernel workload(sum_case) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::workload_on_device, "workload-on-device", "A workload for what works on a device",
     R"(Memory of a device and its streams are the judge's, and a workload cannot make them yet. Drop the clause.
On a device Hone takes pointers, which it allocates there, and numbers: write the function so, and say extents with
`in`, `out` and `inout`.)"},
    {Code::workload_undefined, "workload-undefined", "The workload reaches what no source defines",
     R"(What a workload calls is compiled with it. Hone takes definitions from the file, from its headers, and from
sources that the `compile_commands.json` lists. List the source there, or include the definition.)",
     cpp,
     R"(#include <hone/workload.h>

float sum(const float* x, int n);
void load(float* x, int n);

inline void sum_case(hone::workload& w, int n) {
  float x[64];
  load(x, n);
  w.close(w.time([&] { return sum(x, n); }));
}

#pragma hone kernel workload(sum_case) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#include <hone/workload.h>

float sum(const float* x, int n);
inline void load(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = i; }

inline void sum_case(hone::workload& w, int n) {
  float x[64];
  load(x, n);
  w.close(w.time([&] { return sum(x, n); }));
}

#pragma hone kernel workload(sum_case) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::stream_missing, "stream-missing", "A CUDA stream that is not named",
     R"(The judge works on a stream of its own and hands it to the function. Say which parameter takes it.)", cuda,
     R"(__global__ void doubling(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}

#pragma hone kernel inout(x[0:n]) problem(n=1024)
void twice(float* x, int n, cudaStream_t s) { doubling<<<(n + 255) / 256, 256, 0, s>>>(x, n); }
)",
     R"(__global__ void doubling(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}

#pragma hone kernel inout(x[0:n]) problem(n=1024) stream(s)
void twice(float* x, int n, cudaStream_t s) { doubling<<<(n + 255) / 256, 256, 0, s>>>(x, n); }
)"},
    {Code::stream_type, "stream-type", "`stream` names what is no stream, or there are two",
     R"(The clause names the one parameter of type `cudaStream_t`. A function that takes two streams cannot be
judged; annotate what it launches.)",
     cuda,
     R"(__global__ void doubling(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}

#pragma hone kernel inout(x[0:n]) problem(n=1024) stream(n)
void twice(float* x, int n) { doubling<<<(n + 255) / 256, 256>>>(x, n); }
)",
     R"(__global__ void doubling(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}

#pragma hone kernel inout(x[0:n]) problem(n=1024)
void twice(float* x, int n) { doubling<<<(n + 255) / 256, 256>>>(x, n); }
)"},
    {Code::stream_unused, "stream-unused", "A stream for a function that launches nothing",
     R"(The function works on the processor, where a stream means nothing. Drop the clause and the parameter.)", cuda,
     R"(#pragma hone kernel inout(x[0:n]) problem(n=1024) stream(s)
void twice(float* x, int n, cudaStream_t s) { for (int i = 0; i < n; ++i) x[i] *= 2; }
)",
     R"(#pragma hone kernel inout(x[0:n]) problem(n=1024)
void twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
)"},
    {Code::launch_missing, "launch-missing", "A `__global__` kernel without `launch`",
     R"(How many threads a kernel needs stands at its launch, and the judge launches it itself. Write the grid and
the block as expressions of the parameters, or annotate the host function that launches it.)",
     cuda,
     R"(#pragma hone kernel inout(x[0:n]) problem(n=1024)
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)",
     R"(#pragma hone kernel inout(x[0:n]) problem(n=1024) launch(grid((n + 255) / 256), block(256))
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)"},
    {Code::launch_on_host, "launch-on-host", "`launch` above a host function",
     R"(A host function is called, and launches itself what it launches. Drop the clause.)", cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) launch(grid(1), block(256))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::threads_on_device, "threads-on-device", "`threads` above a `__global__` kernel",
     R"(The clause allows threads of the processor. Those of a kernel are its grid and its block. Drop the
clause.)",
     cuda,
     R"(#pragma hone kernel inout(x[0:n]) problem(n=1024) launch(grid((n + 255) / 256), block(256)) threads(4)
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)",
     R"(#pragma hone kernel inout(x[0:n]) problem(n=1024) launch(grid((n + 255) / 256), block(256))
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)"},
    {Code::variable_undescribed, "variable-undescribed", "The function uses a variable of which no clause speaks",
     R"(What the function computes depends on a variable that other code can change. Name it as a parameter of its
type: `in(table[0:256])`, `inout(calls)`, or `problem(limit=8)`. Beside a workload it may only be read, and the
workload sets it in front of the timed call.)",
     cpp,
     R"(int limit = 8;

#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; i += limit) s += x[i]; return s; }
)",
     R"(int limit = 8;

#pragma hone kernel in(x[0:n]) problem(n=64, limit=8) init(limit: uniform(1, 16)) requires(limit >= 1)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; i += limit) s += x[i]; return s; }
)"},
    {Code::not_self_contained, "not-self-contained", "The function uses what Hone cannot compile beside it",
     R"(A variant is judged outside of the program, with all that the original calls. That takes a definition in
this file, in a header of it, or in a source that the `compile_commands.json` lists, and code that only computes. List
the source, move the definition into a header, or annotate a function without the call.)",
     cpp,
     R"(float weight(int i);

#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * weight(i); return s; }
)",
     R"(inline float weight(int i) { return 1.0f / static_cast<float>(i + 1); }

#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * weight(i); return s; }
)"},
    {Code::side_effect, "side-effect", "The function does more than compute",
     R"(It prints, writes files or stores into volatile memory. The judge compares memory and results, so a variant
that left the rest out would pass. Move that into the caller. What stands in a branch that throws or ends the program
does not count. `hone suggest` says so, too, of a function that resizes a container or allocates an array that it is
given, or whose results differ from call to call: the judge would refuse its original.)",
     cpp,
     R"(#include <cstdio>

#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  std::printf("%g\n", s);
  return s;
}
)",
     R"(#include <cstdio>

#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }

void print_sum(const float* x, int n) { std::printf("%g\n", sum(x, n)); }
)"},
    {Code::device_arguments, "device-arguments",
     "References, classes or variables where the function works on a device",
     R"(On a device Hone allocates what pointers point to and passes numbers. References, structs with pointers,
containers and variables are not supported there yet. Pass pointers and plain values to a function of its own, and
annotate that.)",
     cuda,
     R"(__global__ void doubling(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}

#pragma hone kernel inout(x[0:n]) problem(n=1024)
void twice(float* x, const int& n) { doubling<<<(n + 255) / 256, 256>>>(x, n); }
)",
     R"(__global__ void doubling(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}

#pragma hone kernel inout(x[0:n]) problem(n=1024)
void twice(float* x, int n) { doubling<<<(n + 255) / 256, 256>>>(x, n); }
)"},
    {Code::device_language, "device-language", "A device is driven from a file that is not CUDA",
     R"(The function calls CUDA's run-time library, so its arrays lie on a device, but its file is compiled as C++.
Hone judges functions on a device from `.cu` files only. Move it into one.)"},
    {Code::device_architecture, "device-architecture", "The compile command does not say for which GPU",
     R"(Variants are made for the architectures that the build compiles for. `native` and `all` name none. Write
`-arch=sm_90`, or in CMake `CMAKE_CUDA_ARCHITECTURES=90`.)"},
    {Code::clang_refuses, "clang-refuses", "Clang does not take the function in by itself",
     R"(Hone reads sources with Clang, and Clang refuses the copy of the file in which this function, or this
instance, stands alone. The message is Clang's. If the file compiles with Clang, this is a bug of Hone's that wants to
be reported.)"},
};

}  // namespace

std::span<const Explanation> call_explanations() {
  return kCallRows;
}

}  // namespace hone

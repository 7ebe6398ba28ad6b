// What a candidate may be: refusals before anything is compiled.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kCandidateRows[] = {
    {Code::candidate_unreadable, "candidate-unreadable", "The model's reply holds no candidate",
     R"(The reply has no code block, several that do not say which is meant, or edits that do not fit the text that they
edit. The search asks for it in another way the next time. If most replies are so, the model is too small for
the prompt, or `max_tokens` cuts its replies: `hone show --prompt` shows what was asked.)"},
    {Code::candidate_doubted, "candidate-doubted", "A second look by the model says that the candidate is wrong",
     R"(A strategy with `"opinion": "filter"` does not judge a candidate that the model itself doubts, which spares time.
It is no verdict of the judge. Say `"opinion": "watch"` to see how often the doubts are right, or leave the member
out.)"},
    {Code::candidate_text, "candidate-text", "The text hides something, or is larger than kernels are",
     R"(A person must see what the compiler sees. So a candidate has no characters that hide or turn text, no trigraphs,
no raw strings, no word that a backslash splits, and no comment, quote, bracket or `#if` that it does not close
itself. Example: `/* … ` without `*/` would swallow the code behind it. Write plain ASCII, and close what is
opened.)"},
    {Code::candidate_directive, "candidate-directive", "A directive or a pragma is not allowed",
     R"(A candidate stands in a whole file, and its code must mean the same in every compile. `#include <…>` stands
first and names a header of the standard library or one that the original uses; macros are taken back by
`#undef`; pragmas are those that concern a loop. Not allowed are `__TIME__`, conditions on the compiler's name,
and pragmas that start threads unless the annotation says `threads(k)`. Example: `#define TILE 8` needs `#undef
TILE` at the end; `constexpr int tile = 8;` needs nothing.)"},
    {Code::candidate_attribute, "candidate-attribute", "An attribute reaches beyond the candidate",
     R"(Attributes that move or rename symbols, run functions by themselves, or keep sanitizers away are not allowed:
`section`, `alias`, `constructor`, `no_sanitize`. Those that speak of one function are: `always_inline`,
`target`, `optimize`, `restrict`. Leave the attribute out.)"},
    {Code::candidate_syntax, "candidate-syntax", "Clang cannot parse the candidate",
     R"(The message is Clang's first error, with the line in the candidate. Candidates are parsed in the kernel's unit,
which has what the original reaches and nothing else: a helper, a type or a header that only other code uses
must be brought along. Example: `'sqrtf' was not declared` asks for `#include <cmath>`.)"},
    {Code::candidate_signature, "candidate-signature", "The candidate does not define the kernel as the original does",
     R"(It must define the same function: name, namespace or class, parameters, result and linkage. Of a template it
defines the one instance as an explicit specialization, `template <> void f<float>(…)`. Copy the first line of
the original. Helpers have names of their own.)"},
    {Code::candidate_promise, "candidate-promise", "The candidate takes back what the original promises",
     R"(Callers rely on `noexcept`, `constexpr`, `inline`, default arguments and attributes such as `const`. A workload
may also rely on variables that the original only reads. Keep them as the original has them; the message names
what is missing.)"},
    {Code::candidate_use, "candidate-use", "The candidate uses what a kernel has no use for",
     R"(A kernel only computes. It does no input or output, asks the system, the clock or the compiler for nothing,
calls no function of the project that the original does not call, and knows nothing of the judge. Example:
`printf`, `getenv`, `__builtin_return_address`. What only the original's neighbors use may change without
anybody noticing; bring a `static` helper in its place.)"},
    {Code::candidate_state, "candidate-state", "The candidate keeps state from one call to the next",
     R"(Static and thread-local variables that can change, `__managed__` and `__device__` variables and references that
keep a temporary alive outlive the call. The next call could answer from memory. `static const` and `constexpr`
tables are fine. Make it a local variable.)"},
    {Code::candidate_reach, "candidate-reach", "The candidate changes or exports what is not its own",
     R"(Declarations that others see could change the code behind the candidate or clash with another file: `using
namespace` at file scope, specializations and operators for types of others, overloads of a name that the file
has, functions with external linkage, `extern "C"`. Make helpers `static` or put them into an unnamed namespace,
under names of their own.)"},
    {Code::candidate_assembly, "candidate-assembly", "The assembly is not allowed",
     R"(Assembly could do anything, and neither sanitizers nor the proof see it. A candidate may keep what the original
has. In device code it may use PTX that only computes, in `{ }` with registers of its own, by the list in
docs/security.md. Write intrinsics in its place.)"},
    {Code::candidate_processor, "candidate-processor",
     "The candidate needs instructions that the target does not promise",
     R"(The program may run on another processor of the same build. An intrinsic beyond what `-march` says is allowed in
a function with `__attribute__((target("…")))` alone that is reached behind a test by `__builtin_cpu_supports`.
Or build the project with `-march=native`.)"},
    {Code::candidate_threads, "candidate-threads", "The candidate asks for more threads than the annotation allows",
     R"(The annotation's `threads(k)` is the most that a call may use; without it, one. Take the number from the
annotation, or raise `threads` there if callers bear that.)"},
    {Code::candidate_device, "candidate-device", "The candidate works on the device in a way that is not allowed",
     R"(A launcher works in the caller's stream, waits for nothing, copies on the device alone, and leaves errors to the
program. Device code launches nothing and takes no memory from the device's heap. Example: write `<<<grid,
block, 0, stream>>>` with the stream that the call is given, and `cudaMallocAsync` in place of `cudaMalloc`.)"},
    {Code::candidate_width, "candidate-width", "The candidate multiplies in 32 bits what the annotation multiplies in 64",
     R"(Arrays may have more than 2^31 elements where the annotation computes their extents in 64 bits, and no test has
arrays that large. An index in 32 bits overflows there. Example: the annotation has `x[0:(size_t)rows * columns]`,
and the candidate `x[row * columns + c]`. Convert a factor first: `x[(size_t)row * columns + c]`. What the original
does itself is not refused. Nor is a factor that is small: a constant up to 4096, a remainder by one, the counter of
a loop with such an end, `threadIdx`, or a local that is one of these and never gets another value.)"},
    {Code::candidate_costly, "candidate-costly", "Clang does not come to an end with the candidate",
     R"(It was parsed in a process of its own, which crashed, or took more time or memory than any kernel does.
Templates that instantiate each other, macros that double and constant evaluation are the usual cause. Write the
values out.)"},
    {Code::candidate_misfit, "candidate-misfit", "The candidate means something else in the kernel's file",
     R"(By itself it is right. In its file it would clash with a name, a macro or a helper of another kernel's variant,
or change what the code around it means. The message names both places. Use names of your own, and only names
that the original uses, with their namespaces.)"},
};

}  // namespace

std::span<const Explanation> candidate_explanations() {
  return kCandidateRows;
}

}  // namespace hone

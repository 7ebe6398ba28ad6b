// What becomes of a candidate when it is judged.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kVerdictRows[] = {
    {Code::compile_failed, "compile-failed", "The compiler refuses the candidate",
     R"(Clang parsed it, and the project's compiler does not: the message is its first error, with the line in the
candidate. A name that only Clang knows, such as `__builtin_elementwise_max`, is a usual cause. `hone eval`
shows the whole output.)"},
    {Code::compile_limit, "compile-limit", "The compile takes more than there is",
     R"(A compile of a candidate has a minute of a processor and a part of the disk. Loops that are unrolled by hundreds
and deep templates pass that. Unroll less.)"},
    {Code::object_brings, "object-brings", "The object holds what the original's does not",
     R"(The compiled candidate calls a function, exports a symbol, asks for initialization or threads that the
original's object has no need of. Such things act outside of the call, where nobody watches. The message names
the symbol. Example: a local static with a constructor brings `__cxa_guard_acquire`. Do without it.)"},
    {Code::original_unfit, "original-unfit", "The original is not fit to be a reference",
     R"(All candidates are compared with it, so it must survive all data that the clauses allow, give the same again,
stay within its arrays, and tell right from wrong: an output that is always zero tells nothing. The message says
what it did and at which size. Usually a clause promises too much. Bound scalars with `in(n in 1:100)`, state a
condition with `requires(…)`, draw data with `init`, or make an output `inout` that is read first.)"},
    {Code::problem_unusable, "problem-unusable", "The clauses make no call of it",
     R"(With the values of a `problem` an extent is negative or huge, `requires(…)` does not hold, the arrays need more
memory than there is, or an expression of a clause fails. The message names the clause and the problem. Correct
the extent or the values.)"},
    {Code::result_wrong, "result-wrong", "An output differs from the original's",
     R"(The message names the element, both values, the size and the data. The usual causes: the rest of a loop whose
length is no multiple of the width, arrays that overlap without `noalias`, sums in another order beyond the
tolerance, special values under `-ffast-math`. If the difference is what you accept, widen `tolerance`; the
original's own error against double is taken off already.)"},
    {Code::result_unsteady, "result-unsteady", "The result is not the same each time",
     R"(Called again on the same inputs the candidate gives something else, or it depends on what memory outside of its
arguments held, or on an earlier call. Uninitialized locals, outputs that are read before they are written, and
races are the causes. Initialize what is read.)"},
    {Code::call_fails, "call-fails", "A call does not come back",
     R"(The process crashed, aborted, ended itself, failed on the device, or could not load the code. The message has
the signal, and of an access outside of an array its element: `writing y[1024] (one element past the end of y)`.
Guard pages stand at both ends of each array. Correct the bounds of the last strip first.)"},
    {Code::call_too_long, "call-too-long", "A call does not come to an end in time",
     R"(It ran many times longer than the original, or waits for ever. If the message says that the machine is too busy
to tell, try again when it is idle. Else look for a loop that does not end at small or odd sizes.)"},
    {Code::call_strays, "call-strays", "A call writes where it may not",
     R"(It wrote into an input, or into memory around an output that is none of its arguments, though nothing crashed.
The message names the array and the distance. Correct the bounds, or annotate the array as `inout` where the
original writes it, too.)"},
    {Code::call_leaves, "call-leaves", "A call leaves something behind",
     R"(After its answer memory is not freed, threads live on, the stack has grown, a rounding mode or a signal mask is
another, or work goes on in the background. The next call pays for it. Free and join within the call.)"},
    {Code::memory_error, "memory-error", "A sanitizer finds an error",
     R"(AddressSanitizer, UndefinedBehaviorSanitizer or compute-sanitizer says that the candidate, and not the original,
reads outside of an object, uses what was freed, shifts too far, overflows a signed integer or the like. The
report is in the detail. Results that are right by chance are not kept.)"},
    {Code::data_race, "data-race", "Two threads meet without order",
     R"(ThreadSanitizer, compute-sanitizer or a schedule with pauses shows that threads read and write one element at
the same time, or that threads wait for each other in a way that cannot be followed. Use atomics with acquire
and release, mutexes, barriers or joins; on a device put `__syncthreads()` between the writes and the reads of
shared memory.)"},
    {Code::wrong_while_timed, "wrong-while-timed", "Right at first, and not while it was timed",
     R"(Timed calls are checked, too. The candidate gave a wrong answer there, failed, worked beside the calls, or was
faster than its outputs can be stored. Answers that are kept from earlier calls are the usual cause.)"},
    {Code::not_faster, "not-faster", "The candidate is right, and not surely faster",
     R"(The interval of the speedup does not lie above 1.02, or a problem became slower. Nothing of it is locked. On a
busy machine, which the message names, the interval is wider: try again when it is idle, with a larger
`--budget`, or give problems more weight that matter more.)"},
};

}  // namespace

std::span<const Explanation> verdict_explanations() {
  return kVerdictRows;
}

}  // namespace hone

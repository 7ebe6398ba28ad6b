// What a compile links: notes of `hone cc`, errors in a strict build.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kLinkRows[] = {
    {Code::not_tuned, "not-tuned", "The lock file has no entry that holds for this kernel as it is compiled here",
     R"(The build links the original. Either the kernel was never tuned, or its text, its annotation, what it
reaches, the compiler, its options or the target changed since; the note says which, with the lines. Build
`hone-tune` (without `hone_target()`: run `hone tune`). It tries the earlier variant first. `hone list --explain`
shows what the key is made of.)"},
    {Code::family_unknown, "family-unknown", "The entry does not say for which architectures it was measured",
     R"(This build compiles for several families of GPUs, and a variant holds for the one it was measured on. An
earlier Hone, or a build for one family, wrote the entry. Build `hone-tune` with this build's architectures.)"},
    {Code::entry_distrusted, "entry-distrusted", "No entry of this kernel holds",
     R"(The lock file's entry is for another function, target or annotation than its key says, as after a merge by
hand. Or its evidence or its figures do not fit its `sum`: they were changed by hand, or damaged. Nothing of it is
linked. Build `hone-tune`, or restore the lock file from version control.)"},
    {Code::entry_unconfirmed, "entry-unconfirmed", "The variant was locked as the search measured it",
     R"(The figures of a search are the best of many, so a winner is measured afresh before it counts. This search
ended before that. A strict build refuses the entry; any other links the variant. Build `hone-tune`, which measures it
and nothing else.)"},
    {Code::entry_unvouched, "entry-unvouched", "The variant was locked on the word of a key that is not trusted",
     R"(The record came from a shared store, signed by a key that `hone.trust` does not name (any more), or the
variant was withdrawn there. A strict build refuses it. Build `hone-tune`, which judges the variant here, or trust the key
with `hone cache trust`.)"},
    {Code::variant_slower_here, "variant-slower-here",
     "The variant was seen slower, or wrong, on a machine of this project",
     R"(`hone verify --renew` noted it in the lock file for a kind of machine that the project names. The original
is linked there. This is a decision and no failure, also of a strict build. `hone lock evidence` shows all figures.)"},
    {Code::variant_missing, "variant-missing",
     "The lock file names a variant that is nowhere, or is no variant of this kernel",
     R"(The variant's text lies in `hone/cas` beside the lock file, in your cache, or in the team's store, under its
digest. It is in none of them, or what is there was judged for another kernel. Restore `hone/` from version control,
call `hone cache pull`, or build `hone-tune`.)"},
    {Code::variant_misfit, "variant-misfit", "The variant cannot be placed into this file",
     R"(The definition stands where a variant cannot replace it, for instance since its lines changed their
meaning. The original is compiled. Build `hone-tune`.)"},
    {Code::variant_refused, "variant-refused", "The variant does what no variant may do",
     R"(Every compile looks at the locked variant as the search did: it may only compute, with what the original
uses. This one does not pass, or means something else in this file. That happens after an edit of the lock file or of
the store by hand, or with a newer Hone whose rules are stricter. Build `hone-tune`.)"},
    {Code::variant_not_compiled, "variant-not-compiled", "The build's compiler refuses the variant",
     R"(The variant compiled when it was judged, with another compiler, other options or other headers. The original
is compiled. Build `hone-tune` here; if the compiler's message names no cause, report it.)"},
    {Code::source_not_parsed, "source-not-parsed", "Clang cannot parse the source",
     R"(Hone reads sources with Clang, and this one uses what Clang does not know: an extension of gcc, a header
that is not found, a generated file that is not there yet. Its kernels keep their originals. The message is Clang's
first error. Move the kernels into a file without it, or report the case.)"},
    {Code::crashed, "crashed", "Clang ends abnormally on this source",
     R"(The source nests too deep for Clang, or meets a bug of it. The compiler runs as the build asked, and no
kernel of the file is looked for. Split the file, or annotate in another one.)"},
    {Code::not_captured, "not-captured", "The kernel's calls cannot be recorded",
     R"(In mode `capture` the build compiles code that records arguments into the kernel. The note says why this
kernel cannot have it. Give it a `problem` and an `init` by hand.)"},
    {Code::several_sources, "several-sources", "One command compiles several sources and cannot be taken apart",
     R"(The compiler is called for several sources at once, with an option that concerns them together. The
originals are compiled. Compile each source with `-c` first, and link the objects.)"},
};

}  // namespace

std::span<const Explanation> link_explanations() {
  return kLinkRows;
}

}  // namespace hone

// Additions of many threads to a small array (a histogram) go to copies of it in the block's shared memory; at its end
// the block adds its copies up and to the array. Several copies: fewer threads wait for one place. Where the launch
// decides how many elements there are, it decides how many copies, too: with none the threads add as they did.
#include <algorithm>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/atomics/gathering.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr int most_copies = 32;

// What both kinds of copies are written with.
struct Names {
  Names(const KernelContext& context, const Gathering& found)
      : type(plain_type(context.ast, found.calls.front().type)),
        base(found.calls.front().base->getNameAsString()),
        counts(fresh_name(context, base + "_of_block")),
        thread(fresh_name(context, "thread")),
        threads(fresh_name(context, "threads")),
        at(fresh_name(context, "at")) {}

  std::string each_below(const std::string& end) const {
    return "for (int " + at + " = " + thread + "; " + at + " < " + end + "; " + at + " += " + threads + ") ";
  }
  std::string declared_threads() const {
    return "const int " + thread + " = " + thread_of_block + ", " + threads + " = " + threads_of_block + ";\n";
  }

  std::string type, base, counts, thread, threads, at;
};

// The kernel's work with `changes`, which all threads leave at its end; nullopt: some would leave before.
std::optional<std::string> work_of(const KernelContext& context, const Substitution& changes) {
  if (!returns_early(context.kernel->getBody())) return changes.text(context.kernel->getBody());
  const auto kernel = device_kernel_of(context);
  if (!kernel) return std::nullopt;
  return braces(other_indices(*kernel, "") + item_text(changes, *kernel));
}

// As many copies as were asked for and fit, of an extent that is a number.
std::optional<std::string> fixed_copies(const KernelContext& context, const Gathering& found, int wanted) {
  const long long fitting = most_bytes_of_block / (found.extent * found.element_bytes);
  const long long number = std::min<long long>(wanted, fitting);
  const std::string copies = std::to_string(number), extent = std::to_string(found.extent);
  const Names names(context, found);
  Substitution changes(context.ast);
  for (const AtomicCall& atomic : found.calls)
    changes.replace(atomic.statement, "atomicAdd(&" + names.counts + "[" + names.thread + " / 32 % " + copies + "][" +
                                          changes.text(atomic.offset) + "], " + changes.text(atomic.value) + ");");
  const auto work = work_of(context, changes);
  if (!work || names.type.empty() || changes.spoiled()) return std::nullopt;
  std::string text = "__shared__ " + names.type + " " + names.counts + "[" + copies + "][" + extent + "];\n";
  text += names.declared_threads() + names.each_below(std::to_string(number * found.extent)) + "(&" + names.counts +
          "[0][0])[" + names.at + "] = 0;\n__syncthreads();\n" + *work + "\n__syncthreads();\n";
  text += names.each_below(extent) + "{\n" + names.type + " sum = 0;\n#pragma unroll\nfor (int copy = 0; copy < " +
          copies + "; ++copy) sum += " + names.counts + "[copy][" + names.at + "];\nif (sum != 0) atomicAdd(&" +
          names.base + "[" + names.at + "], sum);\n}";
  Edits edits(context);
  replace_body(edits, context, text);
  return edits.candidate();
}

// Copies in memory that the launch asks for. Launcher and kernel ask the same function how many fit.
class CopiesAtRunTime {
 public:
  CopiesAtRunTime(const KernelContext& context, const Gathering& found, int wanted)
      : context_(context),
        found_(found),
        names_(context, found),
        most_(std::to_string(wanted)),
        how_many_(fresh_name(context, helper_name(context, names_.base + "_copies"))),
        bytes_(fresh_name(context, helper_name(context, names_.base + "_bytes"))),
        copies_(fresh_name(context, "copies")),
        extent_(fresh_name(context, "extent")),
        own_(fresh_name(context, names_.base + "_of_warp")) {}

  std::optional<std::string> candidate() const {
    const auto launch = launch_of(context_);
    const auto text = body();
    if (!launch || !text || names_.type.empty()) return std::nullopt;
    Edits edits(context_);
    edits.helper(helper());
    replace_body(edits, context_, *text);
    const std::string& extent = found_.run_time.in_launcher;
    ask_for_shared_memory(edits, context_, *launch,
                          how_many_ + "(" + extent + ") * " + factor(extent) + " * sizeof(" + names_.type + ")");
    return edits.candidate();
  }

 private:
  static std::string factor(const std::string& extent) {
    return extent.find(' ') == std::string::npos ? extent : "(" + extent + ")";
  }

  std::string helper() const {
    const std::string fitting = std::to_string(most_bytes_of_block / found_.element_bytes);
    return "// How many copies of so many elements a block keeps in its shared memory; 0: one alone does not fit.\n"
           "static __host__ __device__ int " +
           how_many_ + "(long long extent) {\n  if (extent < 1 || extent > " + fitting +
           ") return 0;\n  const int fitting = " + fitting + " / static_cast<int>(extent);\n  return fitting < " +
           most_ + " ? fitting : " + most_ + ";\n}\n\n";
  }

  std::optional<std::string> body() const {
    Substitution changes(context_.ast);
    const Substitution plain(context_.ast);
    for (const AtomicCall& atomic : found_.calls)
      changes.replace(atomic.statement, "{\nif (" + copies_ + " > 0) atomicAdd(&" + own_ + "[" +
                                            plain.text(atomic.offset) + "], " + plain.text(atomic.value) +
                                            ");\nelse atomicAdd(" + plain.text(atomic.address) + ", " +
                                            plain.text(atomic.value) + ");\n}");
    const auto work = work_of(context_, changes);
    if (!work || changes.spoiled() || plain.spoiled()) return std::nullopt;
    return front() + *work + "\n__syncthreads();\n" + flush();
  }

  // Bytes, as arrays of one name must be of one type in all of a file's kernels.
  std::string front() const {
    const std::string& extent = found_.run_time.in_kernel;
    const std::string pointer = names_.type + "* const ";
    return "extern __shared__ __align__(16) unsigned char " + bytes_ + "[];\n" + pointer + names_.counts +
           " = reinterpret_cast<" + names_.type + "*>(" + bytes_ + ");\n" + names_.declared_threads() + "const int " +
           copies_ + " = " + how_many_ + "(" + extent + "), " + extent_ + " = " + copies_ + " > 0 ? static_cast<int>(" +
           extent + ") : 0;\n" + pointer + own_ + " = " + names_.counts + " + (" + copies_ + " > 0 ? " + names_.thread +
           " / 32 % " + copies_ + " * " + extent_ + " : 0);\n" + names_.each_below(copies_ + " * " + extent_) +
           names_.counts + "[" + names_.at + "] = 0;\n__syncthreads();\n";
  }

  std::string flush() const {
    const std::string sum = fresh_name(context_, "sum"), copy = fresh_name(context_, "copy");
    return names_.each_below(extent_) + "{\n" + names_.type + " " + sum + " = 0;\nfor (int " + copy + " = 0; " + copy +
           " < " + copies_ + "; ++" + copy + ") " + sum + " += " + names_.counts + "[" + copy + " * " + extent_ +
           " + " + names_.at + "];\nif (" + sum + " != 0) atomicAdd(&" + names_.base + "[" + names_.at + "], " + sum +
           ");\n}";
  }

  const KernelContext& context_;
  const Gathering& found_;
  Names names_;
  std::string most_, how_many_, bytes_, copies_, extent_, own_;
};

class PrivatiseAtomics final : public Transformation {
 public:
  std::string_view name() const override { return "privatise_atomics"; }

  unsigned sites(const KernelContext& context) const override { return gathering_of(context) ? 1 : 0; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{8, 4, 1, 2, 16, most_copies}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    const auto found = gathering_of(context);
    if (!found) return std::nullopt;
    const int wanted = argument(arguments, 0, 8, 1, most_copies);
    return found->extent > 0 ? fixed_copies(context, *found, wanted)
                             : CopiesAtRunTime(context, *found, wanted).candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_privatise_atomics() {
  return std::make_unique<PrivatiseAtomics>();
}

}  // namespace hone::frontend

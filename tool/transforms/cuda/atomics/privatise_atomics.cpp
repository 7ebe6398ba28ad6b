// Additions of many threads to a small array (a histogram) go to copies of it in the block's shared memory; at its end
// the block adds its copies up and to the array. Several copies: fewer threads wait for one place.
#include "tool/transforms/code/clause_values.h"
#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/atomics/atomic_call.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr long long most_bytes = 48 * 1024;

struct Gathering {
  std::vector<AtomicCall> calls;  // all to one array
  long long extent = 0;
  long long element_bytes = 4;
};

std::optional<Gathering> gathering_of(const KernelContext& context) {
  Gathering found;
  const auto all = atomic_additions(context);
  for (const AtomicCall& atomic : all) {
    if (!atomic.base || !atomic.offset || (!found.calls.empty() && found.calls.front().base != atomic.base)) continue;
    const Parameter* parameter = annotated_parameter(context, atomic.base);
    const auto extent = parameter ? constant_extent(context.spec, *parameter) : std::nullopt;
    if (!extent || *extent < 2) continue;
    found.element_bytes = static_cast<long long>(context.ast.getTypeSizeInChars(atomic.type).getQuantity());
    if (*extent * found.element_bytes > most_bytes) continue;
    found.extent = *extent;
    found.calls.push_back(atomic);
  }
  if (found.calls.empty() || has_other_atomics(context, all)) return std::nullopt;
  // The array must not be looked at otherwise.
  std::size_t references = 0;
  for (const auto* reference : all_of<clang::DeclRefExpr>(context.kernel->getBody()))
    references += reference->getDecl() == found.calls.front().base;
  if (references != found.calls.size() || synchronizes(context.kernel->getBody())) return std::nullopt;
  return found;
}

class PrivatiseAtomics final : public Transformation {
 public:
  std::string_view name() const override { return "privatise_atomics"; }

  unsigned sites(const KernelContext& context) const override { return gathering_of(context) ? 1 : 0; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{8, 4, 1, 2, 16, 32}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    const auto found = gathering_of(context);
    if (!found) return std::nullopt;
    const long long fitting = most_bytes / (found->extent * found->element_bytes);
    const long long copies = std::min<long long>(argument(arguments, 0, 8, 1, 32), fitting);
    const std::string type = plain_type(context.ast, found->calls.front().type);
    const std::string base = found->calls.front().base->getNameAsString(), extent = std::to_string(found->extent);
    const std::string counts = fresh_name(context, base + "_of_block"), thread = fresh_name(context, "thread");
    const std::string threads = fresh_name(context, "threads"), at = fresh_name(context, "at");

    Substitution changes(context.ast);
    for (const AtomicCall& atomic : found->calls)
      changes.replace(atomic.statement, "atomicAdd(&" + counts + "[" + thread + " / 32 % " + std::to_string(copies) +
                                            "][" + changes.text(atomic.offset) + "], " + changes.text(atomic.value) +
                                            ");");
    std::string body;
    if (!returns_early(context.kernel->getBody())) {
      body = changes.text(context.kernel->getBody());
    } else if (const auto kernel = device_kernel_of(context)) {
      body = braces(other_indices(*kernel, "") + item_text(changes, *kernel));
    } else {
      return std::nullopt;
    }
    if (type.empty() || changes.spoiled()) return std::nullopt;

    const std::string each = "for (int " + at + " = " + thread + "; " + at + " < ";
    std::string text = "__shared__ " + type + " " + counts + "[" + std::to_string(copies) + "][" + extent + "];\n";
    text += "const int " + thread + " = " + thread_of_block + ", " + threads + " = " + threads_of_block + ";\n";
    text += each + std::to_string(copies * found->extent) + "; " + at + " += " + threads + ") (&" + counts +
            "[0][0])[" + at + "] = 0;\n__syncthreads();\n" + body + "\n__syncthreads();\n";
    text += each + extent + "; " + at + " += " + threads + ") {\n" + type +
            " sum = 0;\n#pragma unroll\nfor (int copy = 0; copy < " + std::to_string(copies) +
            "; ++copy) sum += " + counts + "[copy][" + at + "];\nif (sum != 0) atomicAdd(&" + base + "[" + at +
            "], sum);\n}";
    Edits edits(context);
    replace_body(edits, context, text);
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_privatise_atomics() {
  return std::make_unique<PrivatiseAtomics>();
}

}  // namespace hone::frontend

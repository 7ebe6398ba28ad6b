// Neighbouring items for each thread, whose elements are loaded and stored together, up to sixteen bytes at a time.
// Where the memory is not aligned, and at the end, the items go one by one.
#include <map>

#include "tool/frontend/transforms/accesses.h"
#include "tool/frontend/transforms/cuda/device_transformation.h"
#include "tool/frontend/transforms/loop_nest.h"
#include "tool/frontend/transforms/loop_text.h"

namespace hone::frontend {
namespace {

struct Pack {
  std::vector<const clang::Expr*> expressions;  // all of one element
  std::string type, name;
  bool reads = false, writes = false;
  bool surely_written = false;  // by a statement of the work itself
  long long bytes = 4;          // of an element
};

// The arrays through which the items run one by one; those that are accessed otherwise too are left as they are.
std::vector<Pack> packs_of(const KernelContext& context, const DeviceKernel& kernel) {
  const clang::VarDecl* item = kernel.along('x')->variable;
  struct Seen {
    Pack pack;
    std::optional<Polynomial> index;
    bool usable = true;
  };
  std::map<const clang::ValueDecl*, Seen> by_base;
  std::vector<const clang::ValueDecl*> order;
  for (const clang::Stmt* statement : kernel.work) {
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    for (const Access& access : accesses_in(context.ast, statement)) {
      if (!access.base) return {};
      auto [at, fresh] = by_base.try_emplace(access.base);
      Seen& seen = at->second;
      if (fresh) {
        order.push_back(access.base);
        seen.index = access.index;
      }
      const clang::QualType type = access.expression->getType();
      const auto bytes = context.ast.getTypeSizeInChars(type).getQuantity();
      seen.usable = seen.usable && access.index && seen.index && *access.index == *seen.index &&
                    access.stride(item) == Stride::one && access.member.empty() && type->isArithmeticType() &&
                    !type.isVolatileQualified() && bytes <= 8 && llvm::isa<clang::ParmVarDecl>(access.base);
      seen.pack.bytes = bytes;
      seen.pack.type = plain_type(context.ast, type);
      seen.pack.reads |= access.reads;
      seen.pack.writes |= access.writes;
      seen.pack.surely_written |= access.writes && assignment && assignment->isAssignmentOp() &&
                                  assignment->getLHS()->IgnoreParens() == access.expression;
      seen.pack.expressions.push_back(access.expression);
    }
  }
  std::vector<Pack> packs;
  for (const clang::ValueDecl* base : order) {
    Seen& seen = by_base[base];
    if (!seen.usable) continue;
    seen.pack.name = fresh_name(context, base->getNameAsString() + "_pack");
    packs.push_back(seen.pack);
  }
  return packs;
}

class VectorAccess final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "vector_access"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    const auto kernel = device_kernel_of(context);
    if (kernel && kernel->along('x'))
      for (const Pack& pack : packs_of(context, *kernel))
        if (pack.bytes == 1) return {{16, 8, 4}};
    return {{4, 2, 8}};
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    if (!kernel.along('x') || !kernel.before.empty()) return false;
    LoopNest nest(context);
    return nest.loops().empty() && !packs_of(context, kernel).empty();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const std::string count = std::to_string(count_of(arguments));
    const ItemIndex& item = *kernel.along('x');
    const std::string group = fresh_name(context, item.name + "_group"),
                      first = fresh_name(context, item.name + "_first");
    const std::string part = fresh_name(context, "part"), pack_type = helper_name(context, "pack");
    const std::string last = "(" + first + " + " + std::to_string(count_of(arguments) - 1) + ")";
    helper_once(edits, context, pack_type,
                "// Elements that are loaded and stored together.\n"
                "template <class T, int count>\n"
                "struct alignas(sizeof(T) * count < 16 ? sizeof(T) * count : 16) " +
                    pack_type + " {\n  T part[count];\n};\n\n");

    Substitution packed(context.ast);
    const Substitution plain(context.ast);
    std::string aligned, loads, stores;
    for (const Pack& pack : packs_of(context, kernel)) {
      Substitution at_first(context.ast);
      at_first.rename(pack.expressions.front(), item.variable, first);
      const std::string address = "&" + at_first.text(pack.expressions.front());
      const std::string type = pack_type + "<" + pack.type + ", " + count + ">";
      for (const clang::Expr* expression : pack.expressions)
        packed.replace(range_of(context.ast, expression->getSourceRange()), pack.name + ".part[" + part + "]");
      aligned += std::string(aligned.empty() ? "" : " && ") + "reinterpret_cast<size_t>(" + address + ") % alignof(" +
                 type + ") == 0";
      loads += type + " " + pack.name;
      if (pack.reads || !pack.surely_written) loads += " = *reinterpret_cast<const " + type + "*>(" + address + ")";
      loads += ";\n";
      if (pack.writes) stores += "*reinterpret_cast<" + type + "*>(" + address + ") = " + pack.name + ";\n";
      if (at_first.spoiled()) return false;
    }
    const std::string each =
        "#pragma unroll\nfor (int " + part + " = 0; " + part + " < " + count + "; ++" + part + ") ";
    const std::string here = index_declaration(item, first + " + " + part);
    const std::string both = conditions_at(context, kernel, {{item.variable, first}}),
                      ends = conditions_at(context, kernel, {{item.variable, last}});
    replace_body(edits, context,
                 index_declaration({nullptr, 'x', group, item.type}, item_expression('x')) +
                     other_indices(kernel, "x") + "const " + item.type + " " + first + " = " + group + " * " + count +
                     ";\nif (" + (both.empty() ? "" : both + " && " + ends + " && ") + aligned + ") {\n" + loads +
                     each + braces(here + text_of(packed, kernel.work)) + "\n" + stores + "} else {\n" + each +
                     braces(here + item_text(plain, kernel)) + "\n}");
    edits.replace(kernel.launch.grid_range, fewer_blocks(edits, context, kernel.launch, count_of(arguments), 1));
    return !packed.spoiled() && !plain.spoiled();
  }

 private:
  static int count_of(const std::vector<int>& arguments) {
    const int count = argument(arguments, 0, 4, 2, 16);
    return count >= 16 ? 16 : count >= 8 ? 8 : count >= 4 ? 4 : 2;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_vector_access() {
  return std::make_unique<VectorAccess>();
}

}  // namespace hone::frontend

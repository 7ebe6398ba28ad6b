// Neighboring items for each thread, whose elements are loaded and stored together, up to sixteen bytes at a time.
// Where the memory is not aligned, and at the end, the items go one by one. Elements are numbers, and what is copied
// like them: half precision, small vectors. Where all work is arithmetic of half precision it is done on two at a time.
#include <map>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/grid_stride.h"
#include "tool/transforms/cuda/half_pairs.h"

namespace hone::frontend {
namespace {

struct Pack {
  std::vector<const clang::Expr*> expressions;  // all of one element
  clang::QualType element;
  std::string type, name;
  bool reads = false, writes = false;
  bool surely_written = false;  // by a statement of the work itself
  long long bytes = 4;          // of an element
};

// x[i] of x[i].y; an access of its own otherwise.
const clang::Expr* whole_element(const clang::Expr* access) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(access->IgnoreParens());
  if (!member || member->isArrow()) return access;
  return whole_element(member->getBase()->IgnoreParenImpCasts());
}

bool can_be_packed(const clang::ASTContext& ast, clang::QualType type) {
  if (type.isVolatileQualified()) return false;
  const auto bytes = ast.getTypeSizeInChars(type).getQuantity();
  if (type->isArithmeticType()) return bytes <= 8;
  return type->isRecordType() && type.getUnqualifiedType().isTriviallyCopyableType(ast) &&
         (bytes == 2 || bytes == 4 || bytes == 8);
}

// What a statement of the work assigns to.
const clang::Expr* assigned_by(const clang::Stmt* statement) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (!expression) return nullptr;
  expression = expression->IgnoreImplicit();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression); binary && binary->isAssignmentOp())
    return binary->getLHS()->IgnoreParens();
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression); call && call->isAssignmentOp())
    return call->getArg(0)->IgnoreParens();
  return nullptr;
}

// What & is put in front of, or a reference stands for: an element of a pack has no address in the array.
std::set<const clang::Expr*> addressed_in(const clang::Stmt* statement) {
  std::set<const clang::Expr*> addressed;
  for (const auto* unary : all_of<clang::UnaryOperator>(statement))
    if (unary->getOpcode() == clang::UO_AddrOf) addressed.insert(whole_element(unary->getSubExpr()->IgnoreParens()));
  for (const auto* declaration : all_of<clang::DeclStmt>(statement))
    for (const clang::Decl* one : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
          variable && variable->getType()->isReferenceType() && variable->getInit())
        addressed.insert(whole_element(variable->getInit()->IgnoreParenImpCasts()));
  return addressed;
}

// Arrays that are named outside of their elements: `y + i`, which a function is told.
std::set<const clang::ValueDecl*> named_apart(const clang::Stmt* statement, const std::vector<Access>& accesses) {
  std::set<const clang::DeclRefExpr*> in_elements;
  for (const Access& access : accesses)
    for (const auto* use : all_of<clang::DeclRefExpr>(access.expression)) in_elements.insert(use);
  std::set<const clang::ValueDecl*> apart;
  for (const auto* use : all_of<clang::DeclRefExpr>(statement))
    if (!in_elements.contains(use)) apart.insert(use->getDecl());
  return apart;
}

// The arrays through which the items run one by one; those that are accessed otherwise too are left as they are.
std::vector<Pack> packs_of(const KernelContext& context, const DeviceKernel& kernel) {
  const clang::VarDecl* item = kernel.along('x')->variable;
  struct Seen {
    Pack pack;
    std::optional<IndexPolynomial> index;
    bool usable = true;
  };
  std::map<const clang::ValueDecl*, Seen> by_base;
  std::vector<const clang::ValueDecl*> order;
  std::set<const clang::ValueDecl*> written;  // for certain, by the statements in front
  for (const clang::Stmt* statement : kernel.work) {
    const clang::Expr* assigned = assigned_by(statement);
    const std::set<const clang::Expr*> addressed = addressed_in(statement);
    const std::vector<Access> accesses = accesses_in(context.ast, statement);
    for (const clang::ValueDecl* base : named_apart(statement, accesses)) by_base[base].usable = false;
    for (const Access& access : accesses) {
      if (!access.base) return {};
      Seen& seen = by_base[access.base];
      if (seen.pack.expressions.empty()) {
        order.push_back(access.base);
        seen.index = access.index;
      }
      const clang::Expr* element = whole_element(access.expression);
      const clang::QualType type = element->getType();
      seen.usable = seen.usable && access.index && seen.index && *access.index == *seen.index &&
                    access.stride(item) == Stride::one && can_be_packed(context.ast, type) &&
                    llvm::isa<clang::ParmVarDecl>(access.base) && !addressed.contains(element) &&
                    (seen.pack.element.isNull() || context.ast.hasSameUnqualifiedType(seen.pack.element, type));
      seen.pack.bytes = context.ast.getTypeSizeInChars(type).getQuantity();
      seen.pack.element = type;
      seen.pack.type = plain_type(context.ast, type);
      seen.pack.reads |= access.reads && !written.contains(access.base);
      seen.pack.writes |= access.writes;
      seen.pack.surely_written |= access.writes && assigned == element;
      seen.pack.expressions.push_back(element);
    }
    for (const auto& [base, seen] : by_base)
      if (seen.pack.surely_written) written.insert(base);
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

// The work on two items at once; nullopt: it is not of that kind. Two neighbors of a pack are seen as a pair, since a
// pack of pairs would not be copied as a whole: the copy of a pair is a function.
std::optional<std::string> pairs_of(const KernelContext& context, const DeviceKernel& kernel,
                                    const std::vector<Pack>& packs, const std::string& part) {
  HalfElements elements;
  for (const Pack& pack : packs)
    for (const clang::Expr* expression : pack.expressions) elements[expression] = pack.name + ".part[2 * " + part + "]";
  return half_pairs(context, kernel, elements);
}

class VectorAccess final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "vector_access"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    std::vector<int> counts{4, 2, 8}, pairs{0}, blocks{0};
    const auto kernel = device_kernel_of(context);
    if (!kernel || !kernel->along('x')) return {counts, pairs, blocks};
    const auto packs = packs_of(context, *kernel);
    long long least = 8;
    for (const Pack& pack : packs) least = std::min(least, pack.bytes);
    if (least == 1) counts = {16, 8, 4};
    if (least == 2) counts = {8, 4, 2};
    if (pairs_of(context, *kernel, packs, "part")) pairs = {1, 0};
    if (end_of(*kernel)) blocks = {0, 1024, 2048};
    return {counts, pairs, blocks};
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    if (!kernel.along('x') || !kernel.before.empty() || !hold_between(context, kernel, *kernel.along('x')))
      return false;
    LoopNest nest(context);
    return nest.loops().empty() && !packs_of(context, kernel).empty();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const auto packs = packs_of(context, kernel);
    const std::string part = fresh_name(context, "part"), pack_type = helper_name(context, "pack");
    const auto pairs = argument(arguments, 1, 1, 0, 1) == 1 ? pairs_of(context, kernel, packs, part) : std::nullopt;
    const std::string count = std::to_string(count_of(arguments)),
                      parts = std::to_string(count_of(arguments) / (pairs ? 2 : 1));
    const ItemIndex& item = *kernel.along('x');
    const std::string group = fresh_name(context, item.name + "_group"),
                      first = fresh_name(context, item.name + "_first");
    const std::string last = "(" + first + " + " + std::to_string(count_of(arguments) - 1) + ")";
    helper_once(edits, context, pack_type,
                "// Elements that are loaded and stored together.\n"
                "template <class T, int count>\n"
                "struct alignas(sizeof(T) * count < 16 ? sizeof(T) * count : 16) " +
                    pack_type + " {\n  T part[count];\n};\n\n");

    Substitution packed(context.ast);
    const Substitution plain(context.ast);
    std::string aligned, loads, stores;
    for (const Pack& pack : packs) {
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
    const auto each = [&](const std::string& of) {
      return "#pragma unroll\nfor (int " + part + " = 0; " + part + " < " + of + "; ++" + part + ") ";
    };
    const std::string here = index_declaration(item, first + " + " + part);
    const std::string both = conditions_at(context, kernel, {{item.variable, first}}),
                      ends = conditions_at(context, kernel, {{item.variable, last}});
    const std::string groups = "if (" + (both.empty() ? "" : both + " && " + ends + " && ") + aligned + ") {\n" +
                               loads + each(parts) + braces(pairs ? *pairs : here + text_of(packed, kernel.work)) +
                               "\n" + stores + "} else {\n" + each(count) + braces(here + item_text(plain, kernel)) +
                               "\n}";
    const std::string first_is = "const " + item.type + " " + first + " = ";
    const std::string grid = fewer_blocks(edits, context, kernel.launch, count_of(arguments), 1);
    const int blocks = argument(arguments, 2, 0, 0, 1 << 16);
    const ItemCondition* end = blocks > 0 ? end_of(kernel) : nullptr;
    if (end) {
      // Wider than the index, which may not hold what lies a grid behind the last item.
      const std::string step = fresh_name(context, item.name + "_step");
      Substitution at_group(context.ast);
      at_group.rename(end->test, item.variable, "(" + group + " * " + count + ")");
      replace_body(edits, context,
                   other_indices(kernel, "x") + "const long long " + step +
                       " = static_cast<long long>(gridDim.x) * blockDim.x;\nfor (long long " + group + " = " +
                       item_expression('x') + "; " + text_of(at_group, *end) + "; " + group + " += " + step + ") " +
                       braces(first_is + "static_cast<" + item.type + ">(" + group + " * " + count + ");\n" + groups));
      Launch fewer = kernel.launch;
      fewer.grid = grid;
      edits.replace(kernel.launch.grid_range, most_blocks(edits, context, fewer, blocks));
      if (at_group.spoiled()) return false;
    } else {
      replace_body(edits, context,
                   index_declaration({nullptr, 'x', group, item.type}, item_expression('x')) +
                       other_indices(kernel, "x") + first_is + group + " * " + count + ";\n" + groups);
      edits.replace(kernel.launch.grid_range, grid);
    }
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

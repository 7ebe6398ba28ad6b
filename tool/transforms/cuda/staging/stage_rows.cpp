// Rows of an array, one for each thread, through shared memory. A thread that goes along a row of its own reads far
// from its neighbors, whose rows lie behind one another: together they are one piece of memory. The block copies it,
// thread beside thread, and each thread reads its row there. Rows lie an odd distance apart, for the banks.
//
//   for (int f = 0; f < features; ++f) … points[point * features + f] …
#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/grid_stride.h"

namespace hone::frontend {
namespace {

constexpr const char* most_bytes = "48 * 1024";  // of a block without asking for more

struct Rows {
  const clang::ParmVarDecl* array = nullptr;
  std::string type;                                                              // of an element
  IndexPolynomial length;                                                        // of a row, in the kernel's parameters
  std::vector<std::pair<const clang::Expr*, const clang::ValueDecl*>> elements;  // an access, and its place in the row
};

// A polynomial over parameters as text, each parameter as `name` has it; "" where it is of something else.
std::string text_of(const IndexPolynomial& polynomial,
                    const std::function<std::string(const clang::ParmVarDecl*)>& name) {
  std::string text;
  for (const auto& [variables, factor] : polynomial.terms()) {
    std::string term = variables.empty() || factor != 1 ? std::to_string(factor) : "";
    for (const clang::ValueDecl* variable : variables) {
      const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
      const std::string word = parameter ? name(parameter) : "";
      if (word.empty()) return "";
      term += (term.empty() ? "" : " * ") + word;
    }
    text += (text.empty() ? "" : " + ") + term;
  }
  return text;
}

class RowReader {
 public:
  RowReader(const KernelContext& context, const DeviceKernel& kernel)
      : context_(context), kernel_(kernel), nest_(context) {}

  // The first array that is read so, and in no other way.
  std::optional<Rows> read() {
    std::vector<Access> accesses;
    for (const clang::Stmt* statement : kernel_.work)
      for (Access& access : accesses_in(context_.ast, statement)) accesses.push_back(std::move(access));
    for (const Access& access : accesses)
      if (const auto* array = llvm::dyn_cast_or_null<clang::ParmVarDecl>(access.base))
        if (auto rows = rows_of(array, accesses)) return rows;
    return std::nullopt;
  }

 private:
  std::optional<Rows> rows_of(const clang::ParmVarDecl* array, const std::vector<Access>& accesses) {
    Rows rows;
    rows.array = array;
    for (const Access& access : accesses) {
      if (!access.base) return std::nullopt;
      if (access.base != array) continue;
      const auto length = access.index ? access.index->stride(kernel_.along('x')->variable) : std::nullopt;
      if (access.writes || !access.member.empty() || !length || length->as_constant() ||
          (!rows.elements.empty() && !(*length == rows.length)))
        return std::nullopt;
      const IndexPolynomial place = *access.index - *length * IndexPolynomial::variable(kernel_.along('x')->variable);
      const clang::ValueDecl* variable = counts_row(place, *length);
      if (!variable) return std::nullopt;
      const clang::QualType type = access.expression->getType();
      rows.length = *length;
      rows.type = plain_type(context_.ast, type);
      rows.elements.emplace_back(access.expression, variable);
      const auto bytes = context_.ast.getTypeSizeInChars(type).getQuantity();
      if (rows.type.empty() || !type->isArithmeticType() || bytes < 4 || type.isVolatileQualified())
        return std::nullopt;
    }
    return rows.elements.empty() ? std::nullopt : std::optional(std::move(rows));
  }

  // The variable of a loop from 0 to a row's length that `place` is.
  const clang::ValueDecl* counts_row(const IndexPolynomial& place, const IndexPolynomial& length) {
    for (const Loop* loop : nest_.counted()) {
      const auto upper = IndexPolynomial::of(context_.ast, loop->upper);
      if (place == IndexPolynomial::variable(loop->variable) && loop->constant_lower(context_.ast) == 0 && upper &&
          *upper == length)
        return loop->variable;
    }
    return nullptr;
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
  LoopNest nest_;
};

class StageRows final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "stage_rows"; }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    return kernel.items.size() == 1 && kernel.along('x') && kernel.before.empty() && kernel.conditions.size() == 1 &&
           end_of(kernel) && launches_without_shared(kernel.launch) && RowReader(context, kernel).read();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>&,
               Edits& edits) const override {
    const auto rows = RowReader(context, kernel).read();
    if (!rows) return false;
    const ItemIndex& item = kernel.items.front();
    const std::string length = text_of(rows->length, [](auto* parameter) { return parameter->getNameAsString(); });
    const std::string handed = text_of(
        rows->length, [&](const clang::ParmVarDecl* parameter) { return argument(context, kernel, parameter); });
    if (length.empty() || handed.empty()) return false;
    const std::string array = rows->array->getNameAsString(), staged = fresh_name(context, array + "_rows");
    const std::string own = fresh_name(context, array + "_row"), first = fresh_name(context, item.name + "_first");
    const std::string row = fresh_name(context, "row_length"), wide = fresh_name(context, "row_width");
    const std::string count = fresh_name(context, "row_elements"), at = fresh_name(context, "at");
    const std::string column = fresh_name(context, "column_staged"), place_in = fresh_name(context, "place_staged");
    const std::string further = "blockDim.x / " + row + " * " + wide + " + blockDim.x % " + row;

    Substitution in_row(context.ast);
    for (const auto& [element, place] : rows->elements)
      in_row.replace(range_of(context.ast, element->getSourceRange()), own + "[" + place->getNameAsString() + "]");
    const std::string condition = text_of(in_row, kernel.conditions);
    std::string text = "extern __shared__ " + rows->type + " " + staged + "[];\n";
    text += index_declaration(item, item_expression('x'));
    text += "const int " + row + " = " + length + ", " + wide + " = " + row + " | 1;\n";
    text += "const " + rows->type + "* " + own + " = " + array + " + " + item.name + " * " + row + ";\n";
    text += "if (blockDim.x * sizeof(" + rows->type + ") * " + wide + " <= " + most_bytes + ") {\n";
    text += "const " + item.type + " " + first + " = blockIdx.x * blockDim.x;\n";
    // Of the block's items that are there.
    text += "const int " + count + " = __syncthreads_count(" + condition + ") * " + row + ";\n";
    // Where an element goes is counted on: dividing for each would take longer than what is computed with it.
    text += "int " + column + " = threadIdx.x % " + row + ", " + place_in + " = threadIdx.x / " + row + " * " + wide +
            " + " + column + ";\n";
    text += "for (int " + at + " = threadIdx.x; " + at + " < " + count + "; " + at + " += blockDim.x) {\n" + staged +
            "[" + place_in + "] = " + array + "[" + first + " * " + row + " + " + at + "];\n" + place_in +
            " += " + further + ";\n" + column + " += blockDim.x % " + row + ";\nif (" + column + " >= " + row +
            ") {\n" + column + " -= " + row + ";\n" + place_in + " += " + wide + " - " + row + ";\n}\n}\n";
    text += "__syncthreads();\n" + own + " = " + staged + " + threadIdx.x * " + wide + ";\n}\n";
    text += "if (" + condition + ") " + braces(hone::frontend::text_of(in_row, kernel.work));
    replace_body(edits, context, text);

    const std::string bytes = helper_name(context, "row_bytes");
    helper_once(edits, context, bytes,
                "// Shared memory for a row of each of a block's items; none where they do not fit.\n"
                "static unsigned " +
                    bytes +
                    "(dim3 block, int length, unsigned size) {\n"
                    "  const unsigned long long bytes = 1ull * block.x * (length | 1) * size;\n"
                    "  return bytes <= " +
                    most_bytes + " ? static_cast<unsigned>(bytes) : 0;\n}\n\n");
    edits.insert(kernel.launch.block_range->end,
                 ", " + bytes + "(" + kernel.launch.block + ", " + handed + ", sizeof(" + rows->type + "))");
    return !in_row.spoiled();
  }

 private:
  // Shared memory and stream are not given.
  static bool launches_without_shared(const Launch& launch) {
    const auto* configuration = launch.call->getConfig();
    for (unsigned i = 2; i < configuration->getNumArgs(); ++i)
      if (!llvm::isa<clang::CXXDefaultArgExpr>(configuration->getArg(i)->IgnoreImplicit())) return false;
    return true;
  }

  static std::string argument(const KernelContext& context, const DeviceKernel& kernel,
                              const clang::ParmVarDecl* parameter) {
    const unsigned index = parameter->getFunctionScopeIndex();
    if (index >= kernel.launch.call->getNumArgs()) return "";
    const std::string text = hone::frontend::text_of(context.ast, kernel.launch.call->getArg(index));
    return text.empty() ? text : "(" + text + ")";
  }
};

}  // namespace

std::unique_ptr<Transformation> make_stage_rows() {
  return std::make_unique<StageRows>();
}

}  // namespace hone::frontend

// From one element of a box for each thread to a tile of them, whose sums stay in registers: a few along a digit of the
// item's number that most loads do not depend on (output channels), and a few neighbors along the lowest one. What the
// elements have in common is loaded once, when the loop over them is jammed into the loops of the work.
//
//   k = i % d; c = i / d % channels;   →   c_first, k_first of the tile; for element { c = …; k = …; work }
//
// A tile that reaches beyond the end of a digit does elements again that are another's, and writes nothing for them, so
// that all tiles run the same code: rows do the last one again, columns begin earlier, since what they load overlaps
// where they are neighbors. Where there are fewer columns than a tile has, its elements go one by one.
//
// Columns may lie along a higher digit instead, so that what neighboring threads load stays side by side in memory.
// Where all threads of a block are to have the same rows (`together`), blocks are dealt out to the digits from the
// rows' one on, and threads beyond the end do the last tile again: all of them run the same code, so they can wait for
// each other (stage_shared). Where the lowest digit's rest by a number decides what runs (strided filters), such
// threads can lie `apart`: neighbors have equal rests, so that a warp does not part.
#include <algorithm>
#include <set>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/grid_stride.h"
#include "tool/transforms/cuda/loop_dealer.h"
#include "tool/transforms/cuda/tile_reuse.h"

namespace hone::frontend {
namespace {

constexpr int most_rows = 16, most_columns = 8;

// n of `i < n`, the kernel's only condition.
const clang::Expr* items_of(const DeviceKernel& kernel) {
  if (kernel.items.size() != 1 || !kernel.along('x') || kernel.conditions.size() != 1) return nullptr;
  const ItemCondition* end = end_of(kernel);
  const auto* test = end ? llvm::dyn_cast<clang::BinaryOperator>(end->test->IgnoreParenImpCasts()) : nullptr;
  if (!test || test->getOpcode() != (end->negated ? clang::BO_GE : clang::BO_LT)) return nullptr;
  return is_variable(test->getLHS(), kernel.along('x')->variable) ? test->getRHS() : nullptr;
}

// Numbers, and parameters that are numbers: what host and device compute alike. Those parameters are collected.
class HostValue {
 public:
  explicit HostValue(const KernelContext& context, const DeviceKernel& kernel) {
    for (const clang::Stmt* statement : kernel.before)
      for (const clang::VarDecl* variable : declared_in(statement)) declared_.insert(variable);
    body_ = context.kernel->getBody();
  }

  bool can_be(const clang::Stmt* statement) {
    if (!all_of<clang::CallExpr>(statement).empty() || !all_of<clang::ArraySubscriptExpr>(statement).empty())
      return false;
    const auto references = all_of<clang::DeclRefExpr>(statement);
    return std::ranges::all_of(references, [&](auto* reference) { return can_be(reference->getDecl()); });
  }

  std::vector<const clang::ParmVarDecl*> parameters;

 private:
  bool can_be(const clang::ValueDecl* value) {
    if (llvm::isa<clang::EnumConstantDecl>(value)) return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(value);
    if (!variable || !variable->getType()->isIntegerType() || writes_variable(body_, variable)) return false;
    if (declared_.contains(variable)) return true;
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    if (!parameter) return variable->isConstexpr() || variable->getType().isConstQualified();
    if (std::ranges::find(parameters, parameter) == parameters.end()) parameters.push_back(parameter);
    return true;
  }

  std::set<const clang::VarDecl*> declared_;
  const clang::Stmt* body_ = nullptr;
};

struct TileShape {
  TileReuse reuse;
  int rows = 1, columns = 1;
  std::size_t column_digit = 0;
  bool together = false;  // all threads of a block run the same code, for the same rows
  int apart = 1;          // neighbors along the lowest digit are so far apart

  int elements() const { return rows * columns; }
  int along(std::size_t digit) const { return digit == column_digit ? columns : reuse.rows == digit ? rows : 1; }
  // Threads are numbered within the digits below this one, blocks from there on.
  bool begins_with_block(std::size_t digit) const { return together && reuse.rows == digit; }
};

// The texts of a kernel whose threads have tiles.
class TileWriter {
 public:
  TileWriter(const KernelContext& context, const DeviceKernel& kernel, const IndexDigits& digits, TileShape shape)
      : context_(context), kernel_(kernel), digits_(digits), shape_(shape), item_(kernel.items.front()) {
    items_ = "(" + text_of(context.ast, items_of(kernel)) + ")";
    for (std::size_t digit = 0; digit < digits.digits.size(); ++digit) {
      const std::string own = digits.digits[digit].name, last = digit == highest() ? "_highest" : "_part";
      const std::string stem = own.empty() ? item_.name + last + (digit ? std::to_string(digit) : "") : own;
      stems_.push_back(stem);
      names_.push_back(fresh_name(context, stem + "_digit"));
      firsts_.push_back(fresh_name(context, stem + "_first"));
      owns_.push_back(fresh_name(context, stem + "_own"));
    }
    element_ = fresh_name(context, "element");
    inside_ = fresh_name(context, "inside");
    end_ = fresh_name(context, item_.name + "_end");
    reached_ = fresh_name(context, item_.name + "_reached");
  }

  std::string body() {
    const Substitution plain(context_.ast);
    std::string text = text_of(plain, kernel_.before);
    text +=
        constant(end_, items_ + " / (" + unit() + ")") + (shape_.together ? numbers_of_block() : number_of_thread());
    const std::string highest_one = tiled(highest()) ? firsts_[highest()] : names_[highest()];
    // Threads that wait for each other have no guard: the last of them do what is done elsewhere, too.
    if (shape_.together) return text + elements();
    return text + "if (" + highest_one + " < " + end_ + ") {\n" + elements() + "\n}";
  }

  // A function of the host that says how many blocks there are.
  std::string grid_function(const std::string& name, const std::vector<const clang::ParmVarDecl*>& parameters) const {
    const Substitution plain(context_.ast);
    std::string text = "// Blocks of `block` threads that have a tile of " + std::to_string(shape_.elements()) +
                       " elements each.\nstatic dim3 " + name + "(dim3 block";
    for (const auto* parameter : parameters)
      text += ", " + plain_type(context_.ast, parameter->getType()) + " " + parameter->getNameAsString();
    text += ") {\n" + text_of(plain, kernel_.before) + "const long long unit = static_cast<long long>(" + unit() +
            ");\nif (unit <= 0) return dim3(0);\nlong long threads = 1, blocks = 1;\n";
    std::string count = "threads";
    for (std::size_t digit = 0; digit <= highest(); ++digit) {
      if (shape_.begins_with_block(digit)) count = "blocks";
      text += count + " *= " + pieces(digit == highest() ? items_ + " / unit" : extent(digit), digit) + ";\n";
    }
    return text + "return dim3(static_cast<unsigned>((threads + block.x - 1) / block.x * blocks));\n}\n\n";
  }

  bool spoiled() const { return spoiled_; }

 private:
  std::size_t highest() const { return digits_.digits.size() - 1; }
  bool tiled(std::size_t digit) const { return shape_.along(digit) > 1; }
  std::string constant(const std::string& name, const std::string& value) const {
    return index_declaration({nullptr, 'x', name, item_.type}, value);
  }
  std::string extent(std::size_t digit) const { return digit == highest() ? end_ : digits_.digits[digit].extent; }

  // All extents' product but the highest one's.
  std::string unit() const {
    std::string text;
    for (std::size_t digit = 0; digit < highest(); ++digit) text += (digit ? " * " : "") + digits_.digits[digit].extent;
    return text;
  }

  // The thread's number among all; then the digits of its tile.
  std::string number_of_thread() const {
    const std::string thread = fresh_name(context_, item_.name + "_thread");
    return constant(thread, item_expression('x')) + taken_apart(thread, "");
  }

  // The thread's number among those that have the block's rows, the last one of them at most, and the block's own.
  std::string numbers_of_block() const {
    const std::string thread = fresh_name(context_, item_.name + "_thread"),
                      count = fresh_name(context_, item_.name + "_threads"),
                      blocks = fresh_name(context_, item_.name + "_blocks");
    std::string threads;
    for (std::size_t digit = 0; digit <= highest() && !shape_.begins_with_block(digit); ++digit)
      threads += (digit ? " * " : "") + pieces(extent(digit), digit);
    std::string text = constant(count, threads) + constant(blocks, "(" + count + " + blockDim.x - 1) / blockDim.x");
    const std::string number = fresh_name(context_, item_.name + "_number");
    text += constant(number, "blockIdx.x % " + blocks + " * blockDim.x + threadIdx.x");
    text += "const bool " + reached_ + " = " + number + " < " + count + ";\n";
    text += constant(thread, reached_ + " ? " + number + " : " + count + " - 1");
    return text + taken_apart(thread, "blockIdx.x / " + blocks);
  }

  // The loop over a tile's elements: once for columns that begin earlier at the end, once for those that go one by one.
  std::string elements() {
    const std::string each = "for (int " + element_ + " = 0; " + element_ + " < " + std::to_string(shape_.elements()) +
                             "; ++" + element_ + ") ";
    const std::size_t digit = shape_.column_digit;
    if (!tiled(digit)) return each + braces(element_text());
    const std::string width = std::to_string(shape_.columns), start = fresh_name(context_, stems_[digit] + "_start");
    std::string text = constant(start, firsts_[digit] + " + " + width + " <= " + extent(digit) + " ? " +
                                           firsts_[digit] + " : " + extent(digit) + " - " + width);
    text += "if (" + extent(digit) + " >= " + width + ") {\n";
    column_start_ = start;
    text += each + braces(element_text());
    column_start_.clear();
    return text + "\n} else {\n" + each + braces(element_text()) + "\n}";
  }

  // How many tiles there are along a digit.
  std::string pieces(const std::string& of, std::size_t digit) const {
    const int size = shape_.along(digit);
    if (digit == 0 && shape_.apart > 1) return whole_rounds(of);
    if (size == 1) return of;
    return "((" + of + " + " + std::to_string(size - 1) + ") / " + std::to_string(size) + ")";
  }

  // As many as there are at least, and the same for each rest.
  std::string whole_rounds(const std::string& of) const {
    const std::string m = std::to_string(shape_.apart);
    return "((" + of + " + " + std::to_string(shape_.apart - 1) + ") / " + m + " * " + m + ")";
  }

  // The lowest digit, first all whose rest is 0. What lies beyond the end is the last one again.
  std::string lowest_apart(const std::string& rest, const std::string& count) const {
    const std::string m = std::to_string(shape_.apart), each = "(" + count + " / " + m + ")";
    const std::string turn = fresh_name(context_, item_.name + "_turn");
    return constant(turn, rest + " % " + count) +
           constant(owns_[0], turn + " % " + each + " * " + m + " + " + turn + " / " + each) +
           constant(names_[0], owns_[0] + " < " + extent(0) + " ? " + owns_[0] + " : " + extent(0) + " - 1");
  }

  // The digits of a tile's number, of the tiled ones the first value. `block`: what the digits from the rows' one on
  // are taken from, where blocks have the same rows.
  std::string taken_apart(const std::string& thread, const std::string& block) const {
    std::string text, rest = thread;
    for (std::size_t digit = 0; digit <= highest(); ++digit) {
      if (shape_.begins_with_block(digit)) {
        rest = fresh_name(context_, item_.name + "_block");
        text += constant(rest, block);
      }
      const std::string times = tiled(digit) ? " * " + std::to_string(shape_.along(digit)) : "";
      const std::string name = tiled(digit) ? firsts_[digit] : names_[digit];
      const std::string count = pieces(extent(digit), digit);
      text += digit == 0 && shape_.apart > 1
                  ? lowest_apart(rest, count)
                  : constant(name, (digit == highest() ? rest : rest + " % " + count) + times);
      if (digit == highest() || shape_.begins_with_block(digit + 1)) continue;
      const std::string next = fresh_name(context_, item_.name + "_rest" + std::to_string(digit + 1));
      text += constant(next, rest + " / " + count);
      rest = next;
    }
    return text;
  }

  std::string element_text() {
    std::string text, inside = shape_.together ? reached_ : "";
    if (shape_.apart > 1) inside += " && " + owns_[0] + " < " + extent(0);
    for (std::size_t digit = 0; digit <= highest(); ++digit) {
      if (!tiled(digit)) continue;
      const std::string columns = std::to_string(shape_.columns);
      const std::string number = shape_.columns == 1 || shape_.rows == 1 ? element_
                                 : digit == shape_.column_digit          ? element_ + " % " + columns
                                                                         : element_ + " / " + columns;
      if (!inside.empty()) inside += " && ";
      if (digit == shape_.column_digit && !column_start_.empty()) {
        text += constant(names_[digit], column_start_ + " + " + number);
        inside += names_[digit] + " >= " + firsts_[digit];
        continue;
      }
      text += constant(owns_[digit], firsts_[digit] + " + " + number) +
              constant(names_[digit],
                       owns_[digit] + " < " + extent(digit) + " ? " + owns_[digit] + " : " + extent(digit) + " - 1");
      inside += owns_[digit] + " < " + extent(digit);
    }
    std::string number = names_[highest()];
    for (std::size_t digit = highest(); digit-- > 0;)
      number = (digit + 1 == highest() ? number : "(" + number + ")") + " * " + digits_.digits[digit].extent + " + " +
               names_[digit];
    const std::string work = work_text();
    text += "const bool " + inside_ + " = " + inside + ";\n";
    return text + constant(item_.name, number) + work;
  }

  std::string work_text() {
    Substitution changes(context_.ast);
    for (std::size_t digit = 0; digit <= highest(); ++digit)
      for (const clang::Expr* place : digits_.digits[digit].places)
        changes.replace(range_of(context_.ast, place->getSourceRange()), names_[digit]);
    for (const auto& [place, lower] : digits_.joined)
      changes.replace(range_of(context_.ast, place->getSourceRange()),
                      "(" + names_[lower + 1] + " * " + digits_.digits[lower].extent + " + " + names_[lower] + ")");
    for (const clang::Stmt* statement : kernel_.work) {
      if (!writes_memory(context_.ast, statement)) continue;
      changes.insert_before(statement, "if (" + inside_ + ") {\n");
      changes.insert_after(statement, "\n}");
    }
    const std::string text = text_of(changes, kernel_.work);
    spoiled_ |= changes.spoiled();
    return text;
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
  const IndexDigits& digits_;
  const TileShape shape_;
  const ItemIndex& item_;
  std::string items_, element_, inside_, end_;
  std::string reached_;       // the thread's own number is one of those that there are
  std::string column_start_;  // where columns are neighbors, whatever the tile's end is; else empty
  std::vector<std::string> stems_, names_, firsts_, owns_;
  bool spoiled_ = false;
};

// Loops write nothing, and what writes declares nothing: it can be left out for an element that is done elsewhere.
bool writes_behind_loops(const KernelContext& context, const DeviceKernel& kernel) {
  return std::ranges::all_of(kernel.work, [&](const clang::Stmt* statement) {
    return !writes_memory(context.ast, statement) ||
           (!llvm::isa<clang::DeclStmt>(statement) && all_of<clang::ForStmt>(statement).empty() &&
            all_of<clang::WhileStmt>(statement).empty() && all_of<clang::DoStmt>(statement).empty());
  });
}

class RegisterTile final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "register_tile"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    const auto kernel = device_kernel_of(context);
    const auto digits = kernel ? digits_of(context, *kernel) : std::nullopt;
    if (!digits) return {{1}, {1}};
    const TileReuse reuse = tile_reuse(context, *kernel, *digits);
    const std::vector<int> columns = reuse.branches ? std::vector{1, 2, 4} : std::vector{4, 8, 2, 1};
    return {reuse.rows ? std::vector{8, 4, 16, 2, 1} : std::vector{1},
            reuse.columns || reuse.across ? columns : std::vector{1},
            reuse.across ? std::vector{0, 1} : std::vector{0},
            {0, 1},
            reuse.residues > 1 ? std::vector{1, static_cast<int>(reuse.residues)} : std::vector{1}};
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    const auto digits = digits_of(context, kernel);
    if (!digits) return false;
    const TileReuse reuse = tile_reuse(context, kernel, *digits);
    return reuse.rows || reuse.across || (reuse.columns && !reuse.branches);
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const auto digits = digits_of(context, kernel);
    TileShape shape{tile_reuse(context, kernel, *digits)};
    if (shape.reuse.rows) shape.rows = argument(arguments, 0, 8, 1, most_rows);
    if (shape.reuse.across && argument(arguments, 2, 0, 0, 1) == 1) shape.column_digit = *shape.reuse.across;
    if (shape.column_digit > 0)
      shape.columns = argument(arguments, 1, 4, 1, most_columns);
    else if (shape.reuse.columns)
      shape.columns = argument(arguments, 1, shape.reuse.branches ? 1 : 4, 1, most_columns);
    shape.together = argument(arguments, 3, 0, 0, 1) == 1;
    const bool may_lie_apart = shape.together && shape.along(0) == 1;
    if (may_lie_apart) shape.apart = argument(arguments, 4, 1, 1, most_columns);
    const auto parameters = host_parameters(context, kernel, *digits);
    if (shape.elements() == 1 || !parameters) return false;
    TileWriter writer(context, kernel, *digits, shape);
    replace_body(edits, context, writer.body());
    const std::string function = fresh_name(context, context.kernel->getNameAsString() + "_tiles");
    edits.helper(writer.grid_function(function, *parameters));
    std::string call = function + "(" + kernel.launch.block;
    const Substitution plain(context.ast);
    for (const auto* parameter : *parameters)
      call += ", " + plain.text(kernel.launch.call->getArg(parameter->getFunctionScopeIndex()));
    edits.replace(kernel.launch.grid_range, call + ")");
    return !writer.spoiled() && !plain.spoiled();
  }

 private:
  static std::optional<IndexDigits> digits_of(const KernelContext& context, const DeviceKernel& kernel) {
    const clang::Expr* items = items_of(kernel);
    if (!items || !writes_behind_loops(context, kernel)) return std::nullopt;
    auto digits = index_digits(context, kernel, items);
    return digits && host_parameters(context, kernel, *digits) ? std::move(digits) : std::nullopt;
  }

  // The parameters that the number of tiles is computed from; nullopt: from something that the host does not know.
  static std::optional<std::vector<const clang::ParmVarDecl*>> host_parameters(const KernelContext& context,
                                                                               const DeviceKernel& kernel,
                                                                               const IndexDigits& digits) {
    HostValue host(context, kernel);
    for (const clang::Stmt* statement : kernel.before)
      if (!host.can_be(statement)) return std::nullopt;
    for (const clang::Expr* extent : digits.extents)
      if (!host.can_be(extent)) return std::nullopt;
    if (!host.can_be(items_of(kernel))) return std::nullopt;
    for (const auto* parameter : host.parameters)
      if (parameter->getFunctionScopeIndex() >= kernel.launch.call->getNumArgs()) return std::nullopt;
    return host.parameters;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_register_tile() {
  return std::make_unique<RegisterTile>();
}

}  // namespace hone::frontend

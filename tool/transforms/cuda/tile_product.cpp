// A product of two arrays, one thread for each element of the result (gemm): blocks of 16x16 threads compute a tile of
// it, each thread several rows and columns in registers; strips of what depends on the row alone and of what depends on
// the column alone pass through shared memory, where they are read by many threads.
//
//   sum = 0; for p: sum += a[row, p] * b[p, column]; c[row, column] = sum
//
// What lies beyond the ends is loaded as zero, and only whole strips run without a test.
#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr int threads_along = 16;  // of a block, along x and y
constexpr int shared_bytes = 48 * 1024;

// An array's part that one index and the loop decide on.
struct Strip {
  const clang::Expr* expression = nullptr;
  const ItemIndex* item = nullptr;
  std::string type, tile, own;
  bool along_loop = false;  // neighbors in memory belong to neighboring steps of the loop
};

struct Product {
  const Loop* loop = nullptr;
  std::vector<const clang::VarDecl*> sums;
  std::vector<const clang::Stmt*> behind;  // the loop
  std::vector<Strip> strips;
};

bool depends_on(const Access& access, const clang::VarDecl* variable) {
  return access.index && access.index->depends_on(variable);
}

// The statements in front of the loop: declarations of the sums with plain values.
bool read_front(const std::vector<const clang::Stmt*>& statements, const clang::Stmt* loop, Product& product) {
  std::size_t at = 0;
  for (; at < statements.size() && statements[at] != loop; ++at) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statements[at]);
    if (!declared) return false;
    for (const clang::Decl* inner : declared->decls()) {
      const auto* sum = llvm::dyn_cast<clang::VarDecl>(inner);
      if (!sum || !sum->hasInit() || !sum->getType()->isArithmeticType() ||
          !all_of<clang::DeclRefExpr>(sum->getInit()).empty())
        return false;
      product.sums.push_back(sum);
    }
  }
  product.behind.assign(statements.begin() + static_cast<std::ptrdiff_t>(at) + 1, statements.end());
  return at < statements.size() && !product.sums.empty() && !product.behind.empty();
}

// The body does nothing but update the sums.
bool only_sums_up(const clang::ASTContext& ast, const Loop& loop, const Product& product) {
  const auto reductions = reductions_of(ast, loop);
  for (const clang::Stmt* statement : statements_of(loop.body)) {
    const bool updates = std::any_of(reductions.begin(), reductions.end(), [&](const Reduction& reduction) {
      return reduction.update == statement && reduction.kind == ReductionKind::sum &&
             std::find(product.sums.begin(), product.sums.end(), reduction.variable) != product.sums.end();
    });
    if (!updates) return false;
  }
  return true;
}

bool read_strips(const KernelContext& context, const DeviceKernel& kernel, Product& product) {
  const clang::VarDecl* step = product.loop->variable;
  bool any_row = false, any_column = false;
  for (const Access& access : accesses_in(context.ast, product.loop->body)) {
    if (!access.base || !access.index || access.writes || !access.member.empty()) return false;
    const ItemIndex *x = kernel.along('x'), *y = kernel.along('y');
    const bool on_x = depends_on(access, x->variable), on_y = depends_on(access, y->variable);
    if (on_x && on_y) return false;
    if ((!on_x && !on_y) || !depends_on(access, step)) continue;
    Strip strip{access.expression,
                on_x ? x : y,
                plain_type(context.ast, access.expression->getType()),
                "",
                "",
                access.stride(step) == Stride::one};
    if (strip.type.empty() || !access.expression->getType()->isArithmeticType()) return false;
    (on_x ? any_column : any_row) = true;
    product.strips.push_back(strip);
  }
  return any_row && any_column && product.strips.size() <= 4;
}

std::optional<Product> product_of(const KernelContext& context, const DeviceKernel& kernel, LoopNest& nest) {
  if (!kernel.along('x') || !kernel.along('y') || kernel.items.size() != 2 || !kernel.before.empty())
    return std::nullopt;
  Product product;
  for (const clang::Stmt* statement : kernel.work)
    if (const Loop* loop = nest.of(statement); loop && !product.loop) product.loop = loop;
  if (!product.loop || !product.loop->counted || !product.loop->owns_variable || !product.loop->innermost() ||
      product.loop->step != 1)
    return std::nullopt;
  for (const ItemIndex& item : kernel.items)
    if (mentions(product.loop->lower, item.variable) || mentions(product.loop->upper, item.variable))
      return std::nullopt;
  if (!read_front(kernel.work, product.loop->statement, product) ||
      !only_sums_up(context.ast, *product.loop, product) || !read_strips(context, kernel, product))
    return std::nullopt;
  for (const ItemCondition& condition : kernel.conditions)
    if (mentions(condition.test, kernel.items[0].variable) && mentions(condition.test, kernel.items[1].variable))
      return std::nullopt;
  return product;
}

// Writes the kernel's body.
class ProductWriter {
 public:
  ProductWriter(const KernelContext& context, const DeviceKernel& kernel, Product product, int rows, int columns,
                int depth)
      : context_(context), kernel_(kernel), product_(std::move(product)), depth_(depth) {
    own_['y'] = rows;
    own_['x'] = columns;
    for (const char d : {'x', 'y'}) {
      const std::string name = kernel.along(d)->name;
      start_[d] = fresh_name(context, name + "_start");
      mine_[d] = fresh_name(context, name + "_own");
      copy_[d] = fresh_name(context, name + "_copy");
    }
    strip_ = fresh_name(context, product_.loop->variable->getNameAsString() + "_strip");
    inside_ = fresh_name(context, product_.loop->variable->getNameAsString() + "_inside");
    unsigned number = 0;
    for (Strip& strip : product_.strips) {
      strip.tile = fresh_name(context, "tile_" + std::to_string(number));
      strip.own = fresh_name(context, "own_" + std::to_string(number++));
    }
  }

  bool fits_shared_memory() const {
    int bytes = 0;
    for (const Strip& strip : product_.strips)
      bytes += depth_ * (width(strip) + 4) *
               static_cast<int>(context_.ast.getTypeSizeInChars(strip.expression->getType()).getQuantity());
    return bytes <= shared_bytes;
  }

  std::string text() {
    std::string text;
    for (const Strip& strip : product_.strips)
      text += "__shared__ __align__(16) " + strip.type + " " + strip.tile + "[" + number(depth_) + "][" +
              number(width(strip) + 4) + "];\n";
    text += index('x', "threadIdx.x % " + number(threads_along)) + index('y', "threadIdx.x / " + number(threads_along));
    for (const clang::VarDecl* sum : product_.sums)
      text += plain_type(context_.ast, sum->getType()) + " " + sums(sum) + "[" + number(own_['y']) + "][" +
              number(own_['x']) + "];\n" +
              copies(sums(sum) + at_copy() + " = " + text_of(context_.ast, sum->getInit()) + ";");
    const Loop& loop = *product_.loop;
    text += "for (" + loop.type + " " + strip_ + " = " + loop.lower_text + "; " + strip_ + " < " + loop.upper_text +
            "; " + strip_ + " += " + number(depth_) + ") " +
            braces(loads() + "__syncthreads();\nif (" + strip_ + " + " + number(depth_) + " <= " + loop.upper_text +
                   ") {\n#pragma unroll\n" + steps(number(depth_)) + "\n} else " +
                   braces(steps(loop.upper_text + " - " + strip_)) + "\n__syncthreads();") +
            "\n";
    return text + results();
  }

  bool spoiled() const { return spoiled_; }

 private:
  static std::string number(long long value) { return std::to_string(value); }
  int width(const Strip& strip) const { return threads_along * own_.at(strip.item->dimension); }
  std::string sums(const clang::VarDecl* sum) const { return sum->getNameAsString() + "_of"; }
  std::string at_copy() const { return "[" + copy_.at('y') + "][" + copy_.at('x') + "]"; }

  std::string index(char d, const std::string& thread) {
    return "const int " + start_[d] + " = blockIdx." + std::string(1, d) + " * " + number(threads_along * own_[d]) +
           ";\nconst int " + mine_[d] + " = " + thread + " * " + number(own_[d]) + ";\n";
  }

  std::string over(const std::string& name, int count) {
    return "#pragma unroll\nfor (int " + name + " = 0; " + name + " < " + number(count) + "; ++" + name + ") ";
  }

  // `statement` for each of the thread's rows and columns.
  std::string copies(const std::string& statement) {
    return over(copy_['y'], own_['y']) + braces(over(copy_['x'], own_['x']) + braces(statement)) + "\n";
  }

  // An expression with an item's index and the loop's variable replaced.
  std::string with(const clang::Expr* expression, const ItemIndex* item, const std::string& index,
                   const std::string& step) {
    Substitution changes(context_.ast);
    if (item) changes.rename(expression, item->variable, index);
    changes.rename(expression, product_.loop->variable, step);
    const std::string text = changes.text(expression);
    spoiled_ |= changes.spoiled();
    return text;
  }

  std::string conditions_on(const ItemIndex& item, const std::string& index) {
    std::string text;
    for (const ItemCondition& condition : kernel_.conditions) {
      if (!mentions(condition.test, item.variable)) continue;
      Substitution changes(context_.ast);
      changes.rename(condition.test, item.variable, index);
      text += " && " + frontend::text_of(changes, condition);
      spoiled_ |= changes.spoiled();
    }
    return text;
  }

  // Fills the tiles, neighboring threads from neighboring elements.
  std::string loads() {
    std::string text;
    const std::string at = fresh_name(context_, "load"), column = fresh_name(context_, "across");
    for (const Strip& strip : product_.strips) {
      const std::string wide = number(width(strip)), deep = number(depth_);
      const std::string item = "(" + start_[strip.item->dimension] + " + " + column + ")";
      const std::string step = "(" + strip_ + " + " + inside_ + ")";
      const std::string split =
          strip.along_loop
              ? "const int " + column + " = " + at + " / " + deep + ", " + inside_ + " = " + at + " % " + deep + ";\n"
              : "const int " + column + " = " + at + " % " + wide + ", " + inside_ + " = " + at + " / " + wide + ";\n";
      text += "#pragma unroll\nfor (int " + at + " = threadIdx.x; " + at + " < " + number(width(strip) * depth_) +
              "; " + at + " += " + number(threads_along * threads_along) + ") " +
              braces(split + strip.tile + "[" + inside_ + "][" + column + "] = " + step + " < " +
                     product_.loop->upper_text + conditions_on(*strip.item, item) + " ? " +
                     with(strip.expression, strip.item, item, step) + " : 0;") +
              "\n";
    }
    return text;
  }

  // What the loop did, for each step of a strip.
  std::string steps(const std::string& count) {
    std::string text;
    Substitution changes(context_.ast);
    for (const Strip& strip : product_.strips) {
      const char d = strip.item->dimension;
      text += strip.type + " " + strip.own + "[" + number(own_[d]) + "];\n" + over(copy_[d], own_[d]) + strip.own +
              "[" + copy_[d] + "] = " + strip.tile + "[" + inside_ + "][" + mine_[d] + " + " + copy_[d] + "];\n";
      changes.replace(range_of(context_.ast, strip.expression->getSourceRange()), strip.own + "[" + copy_[d] + "]");
    }
    for (const clang::VarDecl* sum : product_.sums) changes.rename(product_.loop->body, sum, sums(sum) + at_copy());
    changes.rename(product_.loop->body, product_.loop->variable, "(" + strip_ + " + " + inside_ + ")");
    for (const ItemIndex& item : kernel_.items) changes.rename(product_.loop->body, item.variable, item_here(item));
    text += copies(frontend::text_of(changes, statements_of(product_.loop->body)));
    spoiled_ |= changes.spoiled();
    return "for (int " + inside_ + " = 0; " + inside_ + " < " + count + "; ++" + inside_ + ") " + braces(text);
  }

  std::string item_here(const ItemIndex& item) {
    return "(" + start_[item.dimension] + " + " + mine_[item.dimension] + " + " + copy_[item.dimension] + ")";
  }

  std::string results() {
    Substitution changes(context_.ast);
    for (const clang::VarDecl* sum : product_.sums)
      for (const clang::Stmt* statement : product_.behind) changes.rename(statement, sum, sums(sum) + at_copy());
    std::string text;
    for (const ItemIndex& item : kernel_.items) text += index_declaration(item, item_here(item));
    const std::string conditions = frontend::text_of(changes, kernel_.conditions);
    text +=
        (conditions.empty() ? "" : "if (" + conditions + ") ") + braces(frontend::text_of(changes, product_.behind));
    spoiled_ |= changes.spoiled();
    return copies(text);
  }

  const KernelContext& context_;
  const DeviceKernel& kernel_;
  Product product_;
  int depth_;
  std::map<char, int> own_;  // rows (y) and columns (x) of a thread
  std::map<char, std::string> start_, mine_, copy_;
  std::string strip_, inside_;
  bool spoiled_ = false;
};

class TileProduct final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "tile_product"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{4, 8, 2, 1}, {4, 8, 2, 1}, {16, 8, 32}};  // rows and columns of a thread, steps of a strip
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    LoopNest nest(context);
    return product_of(context, kernel, nest).has_value();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    LoopNest nest(context);
    const auto product = product_of(context, kernel, nest);
    const int rows = argument(arguments, 0, 4, 1, 8), columns = argument(arguments, 1, 4, 1, 8);
    const int depth = argument(arguments, 2, 16, 4, 64);
    ProductWriter writer(context, kernel, *product, rows, columns, depth);
    if (!writer.fits_shared_memory()) return false;
    replace_body(edits, context, writer.text());
    const std::string by =
        "dim3(" + std::to_string(threads_along * columns) + ", " + std::to_string(threads_along * rows) + ")";
    relaunch(edits, kernel.launch, covering_grid(edits, context, kernel.launch, by),
             std::to_string(threads_along * threads_along));
    return !writer.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_tile_product() {
  return std::make_unique<TileProduct>();
}

}  // namespace hone::frontend

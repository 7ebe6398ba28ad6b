// One thread for each row, and a loop along the row that threads cannot share (a recurrence): neighboring threads read
// addresses that are a row apart. The work of each thread stays as it is. Before so many iterations a warp loads, for
// each of its threads in turn, that thread's next elements from consecutive addresses into shared memory, whose rows
// are one element longer so that its columns lie in different banks; what the iterations write goes back likewise.
//
//   for (int t = 0; t < n; ++t) { running = x[r * n + t] + gain * running; y[r * n + t] = running; }
//   → while any thread of the warp has iterations left {
//       for row of 32 { x_tile[row][lane] = x[that thread's place + lane]; }
//       for its next 32 iterations { running = x_tile[lane][step] + gain * running; y_tile[lane][step] = running; }
//       for row of 32 { y[that thread's place + lane] = y_tile[row][lane]; } }
//
// Threads without an item help with loading and storing, and do nothing else.
#include <algorithm>
#include <map>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/staging/block_value.h"
#include "tool/transforms/cuda/staging/walk_text.h"

namespace hone::frontend {
namespace {

// As many blocks as before hold all items: without a condition there is no thread too many.
bool covers_items(const KernelContext& context, const DeviceKernel& kernel, int threads) {
  if (!kernel.conditions.empty()) return true;
  const auto block = constant_shape(context, kernel.launch, 1);
  return block && block->front() % threads == 0 && (*block)[1] == 1 && (*block)[2] == 1;
}

// The work's statements: what stands around the walks is for threads with an item alone.
class WorkWriter {
 public:
  WorkWriter(const KernelContext& context, const Walks& walks, WalkText& text, std::string exists)
      : context_(context), walks_(walks), text_(text), exists_(std::move(exists)), plain_(context.ast) {}

  // "" where it cannot be written.
  std::string write(const std::vector<const clang::Stmt*>& statements) {
    std::size_t last = 0;
    for (std::size_t at = 0; at < statements.size(); ++at)
      if (holds_walk(statements[at])) last = at;
    std::string all, own;
    const auto close = [&] {
      if (!own.empty()) all += exists_.empty() ? own : "if (" + exists_ + ") " + braces(own) + "\n";
      own.clear();
    };
    for (std::size_t at = 0; at < statements.size(); ++at) {
      const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statements[at]);
      if (holds_walk(statements[at])) {
        close();
        all += around(without_attributes(statements[at])) + "\n";
      } else if (declared && at < last) {
        close();
        all += declaration(*declared);
      } else {
        own += text_with_pragmas(statements[at]) + "\n";
      }
    }
    close();
    return all;
  }

  bool spoiled() const { return spoiled_ || plain_.spoiled(); }

 private:
  bool holds_walk(const clang::Stmt* statement) const {
    return std::ranges::any_of(walks_, [&](const auto& walk) { return holds(statement, walk.first); });
  }

  std::string around(const clang::Stmt* statement) {
    if (const auto walk = walks_.find(statement); walk != walks_.end()) return text_.write(walk->second, exists_);
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement);
    if (!loop) return braces(write(statements_of(statement)));
    Substitution changes(context_.ast);
    changes.replace(range_of(context_.ast, loop->getBody()), braces(write(statements_of(loop->getBody()))));
    const std::string text = changes.text(loop);
    spoiled_ |= changes.spoiled();
    return text;
  }

  std::string text_with_pragmas(const clang::Stmt* statement) {
    const clang::Stmt* bare = without_attributes(statement);
    if (bare == statement) return plain_.text(statement);
    const auto range = range_with_pragmas(context_.ast, bare);
    spoiled_ |= !range;
    return range ? "\n" + plain_.text(*range) : "";
  }

  // What reads memory or calls anything does so for an item alone.
  std::string declaration(const clang::DeclStmt& declared) {
    if (exists_.empty() ||
        std::ranges::all_of(declared.decls(), [&](const clang::Decl* one) { return is_harmless(*one); }))
      return plain_.text(&declared) + "\n";
    std::string text;
    for (const clang::Decl* one : declared.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      const std::string type = variable ? plain_type(context_.ast, variable->getType()) : "";
      const clang::QualType kind = variable ? variable->getType() : clang::QualType();
      spoiled_ |= type.empty() || !variable->hasLocalStorage() || !(kind->isArithmeticType() || kind->isPointerType());
      if (spoiled_) return "";
      text += type + (kind.isConstQualified() ? " const " : " ") + variable->getNameAsString();
      if (variable->getInit())
        text += " = " + exists_ + " ? static_cast<" + type + ">(" + plain_.text(variable->getInit()) +
                ") : static_cast<" + type + ">(0)";
      text += ";\n";
    }
    return text;
  }

  bool is_harmless(const clang::Decl& one) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&one);
    if (!variable || !variable->getInit() || variable->getType()->isReferenceType()) return true;
    return accesses_in(context_.ast, variable->getInit()).empty() && !effects_of(variable->getInit()).calls_unknown;
  }

  const KernelContext& context_;
  const Walks& walks_;
  WalkText& text_;
  const std::string exists_;
  const Substitution plain_;
  bool spoiled_ = false;
};

class WarpTranspose final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "warp_transpose"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 16, 64, 8}, {128, 64, 32, 256}, {0, 1}};
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    if (kernel.items.size() != 1 || !kernel.along('x') || !covers_items(context, kernel, 32)) return false;
    return !walks_in(context, kernel).empty();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const int threads = argument(arguments, 1, 128, 32, 256) / 32 * 32;
    if (!covers_items(context, kernel, threads)) return false;
    const Walks walks = walks_in(context, kernel);
    NewNames names(context);
    WalkText text(context, names, walks,
                  {argument(arguments, 0, 32, 8, 64), threads / 32, argument(arguments, 2, 0, 0, 1) == 1});
    const std::string exists = kernel.conditions.empty() ? "" : names.make("exists");
    const Substitution plain(context.ast);
    WorkWriter writer(context, walks, text, exists);
    const std::string work = writer.write(kernel.work);
    const ItemIndex& item = kernel.items.front();
    std::string body = index_declaration(item, item_expression('x')) + text_of(plain, kernel.before);
    if (!exists.empty()) body += "const bool " + exists + " = " + text_of(plain, kernel.conditions) + ";\n";
    replace_body(edits, context, body + text.declarations() + work);
    relaunch(edits, kernel.launch, covering_grid(edits, context, kernel.launch, std::to_string(threads)),
             std::to_string(threads));
    return !writer.spoiled() && !text.spoiled() && !plain.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_warp_transpose() {
  return std::make_unique<WarpTranspose>();
}

}  // namespace hone::frontend

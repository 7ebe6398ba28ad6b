// A loop that runs by pointers, iterators or any other condition counts from zero up, and what walks along with it is
// found by that counter: what all other transformations look for.
//
//   while (p < end) { *y++ = *p * *p; ++p; }
//   → for (long i = 0; i < end - p; ++i) y[i] = p[i] * p[i];
//
//   for (int i = 0; i < m; ++i) { …; row += n; }   →   row[i * n + …]
//
// Walkers that are asked for behind the loop are moved there once. A site is a loop, inner ones first.
#include <algorithm>
#include <cctype>
#include <set>

#include "tool/transforms/calls/body_names.h"
#include "tool/transforms/canonical/operation.h"
#include "tool/transforms/canonical/trip_count.h"
#include "tool/transforms/canonical/walk_text.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

bool breaks(const clang::Stmt* statement, const clang::Stmt* but) {
  if (!statement || statement == but) return false;
  if (llvm::isa<clang::BreakStmt>(statement)) return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt,
                clang::LambdaExpr>(statement))
    return false;
  return std::ranges::any_of(statement->children(), [&](const clang::Stmt* child) { return breaks(child, but); });
}

bool moves_by_one(const Walker& walker) {
  return walker.each.is_number() && std::abs(walker.each.constant()) == 1;
}

class Rewriter {
 public:
  Rewriter(const KernelContext& context, const Loop& loop)
      : context_(context),
        loop_(loop),
        known_(context, loop),
        written_(written_in(loop.statement)),
        edits_(context),
        names_(context) {}

  std::optional<std::string> candidate() {
    const auto place = range_with_pragmas(context_.ast, loop_.statement);
    const auto parts = parts_of(context_.ast, loop_);
    if (!place || !parts || (parts->guard && parts->at_end && effects_of(loop_.body).continues)) return std::nullopt;
    parts_ = *parts;
    auto walkers = walkers_of(context_, loop_, parts_);
    if (loop_.counted)
      std::erase_if(walkers, [&](const Walker& walker) { return walker.variable == loop_.variable; });
    else if (!choose_count(walkers))
      return std::nullopt;
    std::erase_if(walkers, [&](const Walker& walker) { return !is_rewritten(walker); });
    if (walkers.empty()) return std::nullopt;
    const bool leaves = breaks(loop_.body, parts_.guard);
    for (const Walker& walker : walkers)
      if (is_asked_for_behind(walker.variable)) {
        if (leaves) return std::nullopt;
        asked_for_.insert(walker.variable);
      }
    wide_ = !std::ranges::all_of(walkers, moves_by_one);
    name_counter();
    for (const Walker& walker : walkers)
      if (!write_uses(walker)) return std::nullopt;
    drop_unused(walkers);
    edits_.replace(place, written(walkers));
    return edits_.candidate();
  }

 private:
  bool choose_count(const std::vector<Walker>& walkers) {
    auto count = trip_count_of(context_, loop_, parts_, walkers, known_);
    if (!count) return false;
    count_ = std::move(*count);
    return true;
  }

  bool is_rewritten(const Walker& walker) const {
    return std::ranges::count(count_.drivers, walker.variable) > 0 || !walker.variable->getType()->isIntegerType() ||
           walker.is_read();
  }

  // By what runs later, or by the loop itself the next time.
  bool is_asked_for_behind(const clang::VarDecl* variable) const {
    if (parts_.start && declares(parts_.start, variable)) return false;
    for (const Loop* around = loop_.parent; around; around = around->parent)
      if (!declares(around->statement, variable)) return true;
    const auto& sources = context_.sources();
    return std::ranges::any_of(all_of<clang::DeclRefExpr>(context_.kernel->getBody()), [&](const auto* reference) {
      return reference->getDecl() == variable && !holds(loop_.statement, reference) &&
             sources.isBeforeInTranslationUnit(loop_.statement->getBeginLoc(), reference->getBeginLoc());
    });
  }

  void name_counter() {
    const std::string type = plain_type(context_.ast, loop_.counted ? loop_.variable->getType() : count_.type);
    const std::string wide = plain_type(context_.ast, context_.ast.getPointerDiffType());
    const auto bits = context_.ast.getTypeSize(loop_.counted ? loop_.variable->getType() : count_.type);
    const bool narrow = bits < context_.ast.getTypeSize(context_.ast.getPointerDiffType());
    type_ = !loop_.counted && ((wide_ && narrow) || bits < 32) ? wide : type;
    if (!loop_.counted) {
      for (const char* stem : {"i", "j", "k", "l", "m"})
        if (counter_.empty() && fresh_name(context_, stem) == stem) counter_ = names_.take(stem, "");
      if (counter_.empty()) counter_ = names_.take("i", "");
      return;
    }
    const std::string name = loop_.variable->getNameAsString();
    const auto trips_so_far = [&](std::string text) {
      if (loop_.lower_text != "0") text = "(" + text + " - " + loop_.lower_text + ")";
      return loop_.step == 1 ? text : "(" + text + " / " + std::to_string(loop_.step) + ")";
    };
    counter_ = trips_so_far(name);
    if (narrow) wide_counter_ = trips_so_far(converted(context_.ast, wide, name));
  }

  // The counter, wide enough for what it is multiplied with.
  const std::string& counter_for(const Walker& walker) const {
    return wide_counter_.empty() || moves_by_one(walker) ? counter_ : wide_counter_;
  }

  // What a walker goes over, where that stays, and where it begins there.
  bool find_base(const clang::VarDecl* variable, std::string& base, LinearSum& first) {
    const auto start = start_of(context_, parts_, variable, known_);
    const auto found = start ? start->base() : std::nullopt;
    if (!found || found->pointer == variable || (found->pointer && written_.contains(found->pointer))) return false;
    base = found->text;
    first = start->without(*found);
    replaced_.insert(variable);
    return true;
  }

  bool write_uses(const Walker& walker) {
    LinearSum first;
    std::string base = walker.variable->getNameAsString();
    const bool integer = walker.variable->getType()->isIntegerType();
    if (integer) {
      const auto start = start_of(context_, parts_, walker.variable, known_);
      first = start && start->is_number() ? *start : LinearSum::of(context_.ast, walker.variable);
      if (parts_.start && declares(parts_.start, walker.variable)) first = start ? *start : first;
      if (first.is_number()) replaced_.insert(walker.variable);
    } else if (!find_base(walker.variable, base, first) && walker.variable->getType()->isRecordType()) {
      return false;
    }
    for (const Use& use : walker.uses) {
      if (use.in_condition && !loop_.counted) continue;  // goes with the header
      if (use.step && use.alone) {
        remove(use);
        continue;
      }
      const std::string offset = sum_of(first + use.moved, product(counter_for(walker), walker.each));
      if (integer)
        write_number(use, offset, walker.variable->getType());
      else if (!write_place(use, base, offset, walker.variable->getType()->isRecordType()))
        return false;
    }
    return true;
  }

  void remove(const Use& use) {
    if (parts_.step && holds(parts_.step, use.place)) {
      removed_from_header_.insert(use.place);
      return;
    }
    // A statement of its own, or a part of one with commas.
    const auto [whole, parent] = around(context_, use.place);
    if (llvm::isa_and_nonnull<clang::CompoundStmt>(parent))
      leave_out(whole);
    else
      edits_.replace(range_of(context_.ast, whole->getSourceRange()),
                     llvm::isa_and_nonnull<clang::Expr>(parent) ? "(void)0" : "");
  }

  void write_number(const Use& use, const std::string& value, clang::QualType type) {
    const auto [whole, parent] = around(context_, use.place);
    const auto* element = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
    std::string text = value;
    const std::string own = plain_type(context_.ast, type);
    if (!element && own != type_ && !loop_.counted)
      text = converted(context_.ast, own, text);
    else if (!is_one_token(text) && whole == use.place && binds_sums(parent, use.place))
      text = "(" + text + ")";
    edits_.replace(range_of(context_.ast, use.place->getSourceRange()), text);
  }

  // p → p + i; *p → p[i]; p[k] → p[i + k]; p->x → p[i].x
  bool write_place(const Use& use, const std::string& base, const std::string& offset, bool iterator) {
    const auto [whole, parent] = around(context_, use.place);
    const auto own = range_of(context_.ast, use.place->getSourceRange());
    const std::string element = base + "[" + offset + "]";
    const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(parent);
    const auto operation = expression ? operation_of(expression) : Operation();
    if (operation.kind == clang::OO_Star && !operation.right) {
      edits_.replace(range_of(context_.ast, expression->getSourceRange()), element);
      return true;
    }
    if (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(parent);
        member && member->isArrow() && !iterator) {
      edits_.replace(range_of(context_.ast, whole->getSourceRange()), element);
      edits_.replace(range_of(context_.ast, clang::SourceRange(member->getOperatorLoc())), ".");
      return true;
    }
    const clang::Expr* index = nullptr;
    if (const auto* subscript = llvm::dyn_cast_or_null<clang::ArraySubscriptExpr>(parent);
        subscript && as_operand(subscript->getBase()) == as_operand(use.place))
      index = subscript->getIdx();
    if (iterator && operation.kind == clang::OO_Subscript) index = operation.right;
    if (index) {
      const auto range = range_of(context_.ast, index->getSourceRange());
      if (!range) return false;
      edits_.replace(range_of(context_.ast, whole->getSourceRange()), base);
      const auto inner = operation_of(index);
      const bool sum = inner.kind == clang::OO_None || inner.is_sum() || inner.kind == clang::OO_Star ||
                       inner.kind == clang::OO_Slash;
      const bool simple = sum && !llvm::isa<clang::AbstractConditionalOperator>(as_operand(index));
      if (!shifted_.insert(range->begin).second) return true;  // an argument that its macro writes several times
      edits_.insert(range->begin, offset + " + " + (simple ? "" : "("));
      if (!simple) edits_.insert(range->end, ")");
      return true;
    }
    if (iterator) return false;
    const std::string sum = base + (offset[0] == '-' ? " - " + offset.substr(1) : " + " + offset);
    edits_.replace(own, whole == use.place && binds_sums(parent, use.place) ? "(" + sum + ")" : sum);
    return true;
  }

  // Locals that nobody names any more.
  void drop_unused(const std::vector<Walker>& walkers) {
    std::set<const clang::Expr*> gone;
    if (!loop_.counted)
      for (const auto* reference : all_of<clang::DeclRefExpr>(parts_.condition)) gone.insert(reference);
    for (const Walker& walker : walkers)
      if (replaced_.contains(walker.variable) && !asked_for_.contains(walker.variable))
        for (const Use& use : walker.uses)
          for (const auto* reference : all_of<clang::DeclRefExpr>(use.place))
            if (reference->getDecl() == walker.variable) gone.insert(reference);
    const auto references = all_of<clang::DeclRefExpr>(context_.kernel->getBody());
    const auto is_unused = [&](const clang::Decl* declared) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
      return variable && variable->getInit() && known_.of(variable) &&
             count_.text.find(variable->getNameAsString()) == std::string::npos &&
             std::ranges::all_of(references, [&](const clang::DeclRefExpr* reference) {
               return reference->getDecl() != variable || gone.contains(reference);
             });
    };
    for (const auto* statement : all_of<clang::DeclStmt>(context_.kernel->getBody()))
      if (std::ranges::all_of(statement->decls(), is_unused)) {
        if (statement == parts_.start)
          parts_.start = nullptr;
        else
          leave_out(statement);
      }
  }

  // With the space in front of it.
  void leave_out(const clang::Stmt* statement) {
    auto range = range_of(context_.ast, statement);
    const llvm::StringRef text = context_.sources().getBufferData(context_.sources().getMainFileID());
    while (range && range->begin > 0 && std::isspace(static_cast<unsigned char>(text[range->begin - 1])))
      --range->begin;
    edits_.replace(range, "");
  }

  // Other steps of the header that stay.
  std::string rest_of_header() const {
    std::string rest;
    const auto add = [&](auto& self, const clang::Expr* part) -> void {
      const clang::Expr* bare = as_operand(part);
      if (const auto operation = operation_of(bare); operation.kind == clang::OO_Comma) {
        self(self, operation.left);
        self(self, operation.right);
      } else if (!removed_from_header_.contains(bare)) {
        rest += (rest.empty() ? "" : ", ") + edits_.text(*range_of(context_.ast, part->getSourceRange()));
      }
    };
    if (parts_.step && range_of(context_.ast, parts_.step->getSourceRange())) add(add, parts_.step);
    return rest;
  }

  std::string body() {
    if (parts_.guard) leave_out(parts_.guard);
    const auto range = range_of(context_.ast, loop_.body);
    if (!range) return "";
    const std::string text = edits_.text(*range);
    return llvm::isa<clang::CompoundStmt>(loop_.body) ? text : braces(text);
  }

  // How often it has run, as the walkers behind it are told.
  std::string trips() const {
    if (!loop_.counted) return count_name_;
    const auto nothing = [](const clang::VarDecl*) { return nullptr; };
    const auto low = LinearSum::of(context_.ast, loop_.lower, nothing),
               high = LinearSum::of(context_.ast, loop_.upper, nothing);
    if (!low || !high || loop_.step != 1) return "";
    const LinearSum span = *high - *low + LinearSum::number(loop_.inclusive ? 1 : 0);
    if (span.is_size()) return span.is_one_name() || span.is_number() ? span.text() : "(" + span.text() + ")";
    return "(" + low->text() + " < " + (*high + LinearSum::number(loop_.inclusive ? 1 : 0)).text() + " ? " +
           span.text() + " : 0)";
  }

  std::string moved_on(const std::vector<Walker>& walkers, const std::string& trips) const {
    std::string text;
    for (const Walker& walker : walkers) {
      if (!asked_for_.contains(walker.variable)) continue;
      // A condition that moves it does so once more when it ends the loop.
      const LinearSum more = parts_.at_end || loop_.counted ? LinearSum::number(0) : walker.by_condition;
      const Product moved = product(trips, walker.each);
      std::string by = moved.text;
      if (more.is_number() && more.constant() != 0) {
        const bool same = (more.constant() < 0) == moved.negative;
        by += (same ? " + " : " - ") + std::to_string(std::abs(more.constant()));
      } else if (!more.is_number()) {
        return "";
      }
      text += walker.variable->getNameAsString() + (moved.negative ? " -= " : " += ") + by + ";\n";
    }
    return text;
  }

  std::string written(const std::vector<Walker>& walkers) {
    std::string in_front, header;
    if (loop_.counted) {
      const auto* counting = loop_.as_for();
      const auto start = range_of(context_.ast, counting->getInit()),
                 end = range_of(context_.ast, counting->getCond()->getSourceRange());
      if (!start || !end) return spoil();
      std::string first = edits_.text(*start);
      if (first.empty() || first.back() != ';') first += ";";
      header = "for (" + first + " " + edits_.text(*end) + "; " + rest_of_header() + ") ";
    } else {
      if (parts_.start) {
        const auto start = range_of(context_.ast, parts_.start);
        if (!start) return spoil();
        in_front = edits_.text(*start);
        if (in_front.empty() || in_front.back() != ';') in_front += ";";
        in_front += "\n";
      }
      count_name_ = count_.text;
      const bool exact = asked_for_.empty() || !count_.may_be_negative;
      if (!count_.one_name || !exact || (wide_ && !is_number(count_.text))) {
        count_name_ = names_.take("count", "");
        in_front += "const " + type_ + " " + count_name_ + " = " + (exact ? count_.text : count_.clamped) + ";\n";
      }
      const std::string rest = rest_of_header();
      header = "for (" + type_ + " " + counter_ + " = 0; " + counter_ + " < " + count_name_ + "; ++" + counter_ +
               (rest.empty() ? "" : ", " + rest) + ") ";
    }
    std::string behind;
    if (!asked_for_.empty()) {
      const std::string often = trips();
      behind = often.empty() ? "" : moved_on(walkers, often);
      if (behind.empty()) return spoil();
    }
    const std::string text = in_front + header + body() + (behind.empty() ? "" : "\n" + behind);
    return in_front.empty() && behind.empty() ? text : braces(text);
  }

  static bool is_number(const std::string& text) {
    return std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
  }

  std::string spoil() {
    edits_.replace(std::optional<TextRange>(), "");
    return "";
  }

  const KernelContext& context_;
  const Loop& loop_;
  LoopParts parts_;
  KnownValues known_;
  std::set<const clang::ValueDecl*> written_;
  Edits edits_;
  FreshNames names_;
  TripCount count_;
  std::set<const clang::VarDecl*> asked_for_;
  std::set<const clang::VarDecl*> replaced_;  // by what they were set to
  std::set<const clang::Expr*> removed_from_header_;
  std::set<std::size_t> shifted_;  // where indices have got an offset
  bool wide_ = false;  // distances of more than the counter's type holds
  std::string type_, counter_, wide_counter_, count_name_;
};

struct Rewriting {
  const clang::Stmt* loop = nullptr;
  std::string text;
};

std::vector<Rewriting> rewritings(const KernelContext& context) {
  std::vector<Rewriting> found;
  if (has_jumps(*context.kernel)) return found;
  const LoopNest nest(context);
  for (auto loop = nest.loops().rbegin(); loop != nest.loops().rend(); ++loop) {
    if (loop->in_lambda || (context.stop && context.stop->stop_requested())) continue;
    if (auto text = Rewriter(context, *loop).candidate()) found.push_back({loop->statement, std::move(*text)});
  }
  return found;
}

class CanonicalLoop final : public Transformation {
 public:
  std::string_view name() const override { return "canonical_loop"; }

  unsigned sites(const KernelContext& context) const override {
    return static_cast<unsigned>(rewritings(context).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    const auto found = rewritings(context);
    return site < found.size() ? found[site].loop : nullptr;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    auto found = rewritings(context);
    return site < found.size() ? std::optional(std::move(found[site].text)) : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_canonical_loop() {
  return std::make_unique<CanonicalLoop>();
}

}  // namespace hone::frontend

// The body of a function that the kernel calls, in place of its calls: whatever loops it has are the kernel's then, and
// the other transformations see them.
//
//   for (int r = 0; r < h; ++r) blur_row(in + r * w, out + r * w, w);
//   for (int r = 0; r < h; ++r) for (int c = 1; c < w - 1; ++c) out[r * w + c] = (in[r * w + c - 1] + …) / 3;
//
// An algorithm of the standard library becomes the loop that it is (algorithm.h), and the call of a lambda its value
// (lambda_text.h). A site is a function, in the order of
// the calls. What it calls itself is a site afterwards. Loops over ranges, which call begin() and end(), come last
// (range_for.h).

#include <algorithm>
#include <map>

#include "tool/transforms/calls/algorithm.h"
#include "tool/transforms/calls/inlined_body.h"
#include "tool/transforms/calls/lambda_text.h"
#include "tool/transforms/calls/range_for.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

constexpr std::size_t longest_candidate = 40000;  // characters

// A function and its calls.
struct CallSite {
  std::optional<Callee> callee;  // none: an algorithm of the library, or a lambda
  std::vector<CallPlace> places;
};

bool may_become_expression(const CallPlace& place, const Callee& callee) {
  return callee.value && (place.alone || !place.call->getType()->isVoidType());
}

bool is_of_lambda(const clang::FunctionDecl* called) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(called);
  return method && method->getParent()->isLambda() && method->getOverloadedOperator() == clang::OO_Call;
}

// An algorithm of the library, or a lambda.
std::optional<InlinedCall> without_callee(const KernelContext& context, const CallPlace& place,
                                          const StableValues& stable, FreshNames& fresh) {
  if (!is_of_lambda(place.call->getDirectCallee())) return written_out(context, place, stable, fresh);
  auto value = called_lambda(context, *place.call);
  return value ? std::optional(InlinedCall{"", std::move(*value)}) : std::nullopt;
}

std::vector<CallSite> call_sites(const KernelContext& context) {
  std::vector<CallSite> sites;
  const StableValues stable(context);
  const auto has_text = [&](const CallPlace& place) {
    FreshNames fresh(context);
    return without_callee(context, place, stable, fresh).has_value();
  };
  std::map<const clang::FunctionDecl*, std::optional<std::size_t>> known;
  for (const CallPlace& place : calls_in(context)) {
    const clang::FunctionDecl* called = place.call->getDirectCallee();
    if (!called || !place.statement) continue;
    const auto [found, is_new] = known.try_emplace(called->getCanonicalDecl());
    if (is_new)
      if (auto callee = callee_of(context, place.call);
          callee || !algorithm_of(*place.call).empty() || is_of_lambda(called)) {
        found->second = sites.size();
        sites.push_back({std::move(callee), {}});
      }
    if (!found->second) continue;
    CallSite& site = sites[*found->second];
    if (site.callee ? place.before || may_become_expression(place, *site.callee) : has_text(place))
      site.places.push_back(place);
  }
  std::erase_if(sites, [](const CallSite& site) { return site.places.empty(); });
  return sites;
}

bool stands_in(const clang::SourceManager& sources, const CallPlace& inner, const CallPlace& outer) {
  const auto within = [&](clang::SourceLocation at) { return sources.getFileLoc(at); };
  const clang::SourceLocation begin = within(outer.call->getBeginLoc()), end = within(outer.call->getEndLoc());
  const clang::SourceLocation here = within(inner.call->getBeginLoc());
  return &inner != &outer && !sources.isBeforeInTranslationUnit(here, begin) &&
         sources.isBeforeInTranslationUnit(here, end);
}

class Inliner {
 public:
  Inliner(const KernelContext& context, CallSite site)
      : context_(context), site_(std::move(site)), stable_(context), fresh_(context), edits_(context) {}

  std::optional<std::string> candidate() {
    leave_outer_calls();
    bool any = false;
    for (const CallPlace& place : site_.places)
      if (const auto call = site_.callee ? inlined(context_, place, *site_.callee, stable_, fresh_, is_alone(place))
                                         : without_callee(context_, place, stable_, fresh_)) {
        put(place, *call);
        any = true;
      }
    if (!any) return std::nullopt;
    for (const clang::Stmt* statement : order_) open(statement, statements_.at(statement));
    auto text = edits_.candidate();
    return text && text->size() <= longest_candidate ? text : std::nullopt;
  }

 private:
  struct Around {
    std::string before;
    bool declares = false, gone = false;
  };

  // f(f(x)): the inner one goes first, the outer one with the next gene.
  void leave_outer_calls() {
    std::vector<CallPlace> inner;
    for (const CallPlace& place : site_.places)
      if (std::ranges::none_of(site_.places,
                               [&](const CallPlace& other) { return stands_in(context_.sources(), other, place); }))
        inner.push_back(place);
    site_.places = std::move(inner);
  }

  bool is_alone(const CallPlace& place) const {
    return std::ranges::count(site_.places, place.statement, &CallPlace::statement) == 1;
  }

  void put(const CallPlace& place, const InlinedCall& call) {
    if (!statements_.contains(place.statement)) order_.push_back(place.statement);
    Around& around = statements_[place.statement];
    around.before += call.before;
    around.declares = place.declares;
    around.gone = place.returned ? call.value.empty() : place.alone;
    if (!around.gone)
      edits_.replace(range_of(context_.ast, place.call->getSourceRange()), call.value);
    else if (!call.value.empty())
      around.before += "(void)" + call.value + ";\n";
  }

  void open(const clang::Stmt* statement, const Around& around) {
    if (around.gone) {
      edits_.replace(statement, braces(around.before));
    } else if (!around.before.empty()) {
      edits_.insert_before(statement, (around.declares ? "" : "{\n") + around.before + "\n");
      if (!around.declares) edits_.insert_after(statement, "\n}");
    }
  }

  const KernelContext& context_;
  CallSite site_;
  StableValues stable_;
  FreshNames fresh_;
  Edits edits_;
  std::map<const clang::Stmt*, Around> statements_;
  std::vector<const clang::Stmt*> order_;
};

class InlineCalls final : public Transformation {
 public:
  std::string_view name() const override { return "inline_calls"; }

  unsigned sites(const KernelContext& context) const override {
    return static_cast<unsigned>(call_sites(context).size() + loops_over_ranges(context).size());
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    auto sites = call_sites(context);
    if (site >= sites.size()) {
      const auto loops = loops_over_ranges(context);
      return site - sites.size() < loops.size() ? by_index(context, loops[site - sites.size()]) : std::nullopt;
    }
    return Inliner(context, std::move(sites[site])).candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_inline_calls() {
  return std::make_unique<InlineCalls>();
}

}  // namespace hone::frontend

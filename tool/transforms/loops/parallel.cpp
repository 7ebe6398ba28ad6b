// Runs the iterations of an outermost loop on as many threads as the annotation allows, in contiguous shares.
//
// std::thread, which links everywhere without flags on current systems; a pool would need state that lives on between
// calls, which a kernel may not have. Starting the threads costs tens of microseconds: small problems lose, and the
// judge sees it. Reductions into locals get a partial result per thread.

#include <algorithm>

#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/reduction_text.h"

namespace hone::frontend {
namespace {

// Do iterations write to places of their own? Lenient where inner loops move accesses apart: the judge looks again.
bool writes_apart(const KernelContext& context, const Loop& loop) {
  auto own = declared_in(loop.statement);
  auto accesses = accesses_in(context.ast, loop.body);
  for (const Access& write : accesses) {
    if (!write.writes) continue;
    if (!write.base || !write.index) return false;
    if (std::find(own.begin(), own.end(), write.base) != own.end()) continue;
    auto stride = write.index->stride(loop.variable);
    if (!stride || stride->as_constant() == 0) return false;
    for (const Access& other : accesses) {
      if (other.base != write.base || other.member != write.member) continue;
      if (!other.index || other.index->stride(loop.variable) != stride) return false;
      if ((*other.index - *write.index).as_constant().value_or(0) != 0) return false;
    }
  }
  return true;
}

std::vector<Loop*> shareable_loops(LoopNest& nest, const KernelContext& context) {
  if (context.spec.threads < 2 || is_c(context.ast)) return {};
  return nest.where([&](const Loop& loop) {
    return !loop.parent && !loop.in_lambda && reduced_variables(context.ast, loop).has_value() &&
           writes_apart(context, loop);
  });
}

class Shares {
 public:
  Shares(const KernelContext& context, const Loop& loop, int threads)
      : context_(context), loop_(loop), threads_(std::to_string(threads)), others_(std::to_string(threads - 1)) {
    worker_ = fresh_name(context, "worker");
    count_ = fresh_name(context, "iterations");
    part_ = fresh_name(context, "share");
    pool_ = fresh_name(context, "workers");
  }

  std::string text() {
    std::string body = text_of(context_.ast, loop_.body);
    if (body.empty()) return {};
    reductions();
    if (refused_) return {};
    std::string step = std::to_string(loop_.step);
    std::string span = "(static_cast<long long>(" + loop_.upper_text + ") - static_cast<long long>(" +
                       loop_.lower_text + ") + " + std::to_string(loop_.step - 1) + ") / " + step;
    std::string whole =
        "const long long " + count_ + " = " + loop_.lower_text + " < " + loop_.upper_text + " ? " + span + " : 0;\n";
    std::string share = "const auto " + part_ + " = [&](int " + worker_ + ") {\n" + start_ +
                        header(loop_, bound(worker_), bound("(" + worker_ + " + 1)")) + body + "\n" + finish_ + "};\n";
    std::string run = "std::thread " + pool_ + "[" + others_ + "];\n" + each("1", threads_) + pool_ + "[" + worker_ +
                      " - 1] = std::thread(" + part_ + ", " + worker_ + ");\n" + part_ + "(0);\n" + each("0", others_) +
                      pool_ + "[" + worker_ + "].join();\n";
    return braces(whole + before_ + share + run + after_);
  }

 private:
  // Where a worker's share begins: the next one's beginning is its end.
  std::string bound(const std::string& worker) const {
    return "static_cast<" + loop_.type + ">(" + loop_.lower_text + " + static_cast<" + loop_.type + ">(" + count_ +
           " * " + worker + " / " + threads_ + ") * " + std::to_string(loop_.step) + ")";
  }

  std::string each(const std::string& from, const std::string& to) const {
    return "for (int " + worker_ + " = " + from + "; " + worker_ + " < " + to + "; ++" + worker_ + ") ";
  }

  // Inside a share the variable's name means the share's own partial result.
  void reductions() {
    for (const ReducedVariable& target :
         reduced_variables(context_.ast, loop_).value_or(std::vector<ReducedVariable>())) {
      std::string name = target.variable->getNameAsString(),
                  type = plain_type(context_.ast, target.variable->getType());
      std::string begun = fresh_name(context_, name + "_begun"), parts = fresh_name(context_, name + "_parts");
      refused_ |= type.empty();
      before_ += "const " + type + " " + begun + " = " + name + ";\n" + type + " " + parts + "[" + threads_ + "];\n";
      start_ += "(void)" + begun + ";\n" + type + " " + name + " = " + neutral_value(target.kind, begun) + ";\n";
      finish_ += parts + "[" + worker_ + "] = " + name + ";\n";
      after_ += each("0", threads_) + fold(target.kind, name, parts + "[" + worker_ + "]") + ";\n";
    }
  }

  const KernelContext& context_;
  const Loop& loop_;
  std::string threads_, others_;
  std::string worker_, count_, part_, pool_;
  std::string before_, start_, finish_, after_;
  bool refused_ = false;
};

class ParallelLoop final : public Transformation {
 public:
  std::string_view name() const override { return "parallel"; }

  unsigned sites(const KernelContext& context) const override {
    LoopNest nest(context);
    return static_cast<unsigned>(shareable_loops(nest, context).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    auto loops = shareable_loops(nest, context);
    return site < loops.size() ? loops[site]->statement : nullptr;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    int most = static_cast<int>(std::min(context.spec.threads, 256u));
    return {most > 3 ? std::vector<int>{most, most / 2} : std::vector<int>{most}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    LoopNest nest(context);
    auto loops = shareable_loops(nest, context);
    if (site >= loops.size()) return std::nullopt;
    int most = static_cast<int>(std::min(context.spec.threads, 256u));
    std::string text = Shares(context, *loops[site], argument(arguments, 0, most, 2, most)).text();
    if (text.empty()) return std::nullopt;
    Edits edits(context);
    edits.include("<thread>");
    edits.replace(range_with_pragmas(context.ast, loops[site]->statement), text);
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_parallel_loop() {
  return std::make_unique<ParallelLoop>();
}

}  // namespace hone::frontend

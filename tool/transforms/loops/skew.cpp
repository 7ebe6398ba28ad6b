// Rows of several nests, and of several sweeps over them, as one wave: each row runs as soon as the rows that it needs
// are done, while what they wrote is still in cache. A row is one iteration of a nest's outermost loop, whatever it
// holds.
//   for t { for i b[i] = f(a[i-1], a[i], a[i+1]);  for i a[i] = f(b[i-1], b[i], b[i+1]); }
//   → for t in strips { for wave { for t of the strip { b[wave - 2t]…; a[wave - 2t - 1]…; } } }
// Every row keeps its own order and sees what it saw, so results are the same to the last bit.

#include <algorithm>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/code/row_distance.h"

namespace hone::frontend {
namespace {

constexpr int most_rows_behind = 16;

// The nests of a wave in source order, and how many rows each runs behind the first.
struct Wave {
  std::vector<const Loop*> nests;
  std::vector<int> behind;
  int period = 0;  // rows that a sweep runs behind the one before
};

bool may_share_counter(const KernelContext& context, const Loop& first, const Loop& loop) {
  return loop.type == first.type && context.ast.getIntWidth(loop.variable->getType()) >= 32;
}

// Each nest as close behind those before it as what they have in common allows.
bool set_rows_behind(const KernelContext& context, Wave& wave, const Loop* sweeps) {
  for (std::size_t later = 0; later < wave.nests.size(); ++later) {
    int behind = 0;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      auto rows = row_distance(context, *wave.nests[earlier], *wave.nests[later], sweeps, most_rows_behind);
      if (!rows) return false;
      behind = std::max(behind, wave.behind[earlier] + *rows);
    }
    wave.behind.push_back(behind);
  }
  return true;
}

// The next sweep's rows as close behind this one's.
bool set_period(const KernelContext& context, Wave& wave, const Loop& sweeps) {
  for (std::size_t now = 0; now < wave.nests.size(); ++now) {
    for (std::size_t next = 0; next < wave.nests.size(); ++next) {
      auto rows = row_distance(context, *wave.nests[now], *wave.nests[next], &sweeps, most_rows_behind);
      if (!rows) return false;
      wave.period = std::max(wave.period, *rows + wave.behind[now] - wave.behind[next]);
    }
  }
  return true;
}

bool may_join(const KernelContext& context, const Wave& wave, const Loop& loop) {
  return has_plain_rows(context, loop) && (wave.nests.empty() || may_share_counter(context, *wave.nests[0], loop));
}

// All that a loop over time does is sweep over rows.
std::optional<Wave> wave_of_sweeps(const KernelContext& context, LoopNest& nest, const Loop& sweeps) {
  Wave wave;
  if (sweeps.step != 1 || sweeps.children.empty()) return std::nullopt;
  for (const clang::Stmt* statement : statements_of(sweeps.body)) {
    const Loop* loop = nest.of(statement);
    if (!loop || !may_join(context, wave, *loop)) return std::nullopt;
    if (mentions(loop->lower, sweeps.variable) || mentions(loop->upper, sweeps.variable)) return std::nullopt;
    wave.nests.push_back(loop);
  }
  bool fits = set_rows_behind(context, wave, &sweeps) && set_period(context, wave, sweeps);
  fits &= wave.period > 0;  // without one the loops may as well be interchanged
  return fits ? std::optional(wave) : std::nullopt;
}

// The longest run of nests, from `first` on, of which each has an array in common with one before it.
std::optional<Wave> wave_of_neighbors(const KernelContext& context, LoopNest& nest, const Loop& first) {
  Wave wave;
  for (auto* block : all_of<clang::CompoundStmt>(context.kernel->getBody())) {
    auto statements = statements_of(block);
    auto at = std::find(statements.begin(), statements.end(), first.statement);
    for (; at != statements.end(); ++at) {
      const Loop* loop = nest.of(*at);
      if (!loop || !may_join(context, wave, *loop)) break;
      const bool shares = std::any_of(wave.nests.begin(), wave.nests.end(), [&](const Loop* earlier) {
        return share_written_array(context, *earlier, *loop);
      });
      if (!wave.nests.empty() && !shares) break;
      Wave longer = wave;
      longer.nests.push_back(loop);
      longer.behind.clear();
      if (!set_rows_behind(context, longer, nullptr)) break;
      wave = std::move(longer);
    }
  }
  return wave.nests.size() > 1 ? std::optional(wave) : std::nullopt;
}

std::string chosen(const std::string& left, const char* test, const std::string& right) {
  return "(" + left + " " + test + " " + right + " ? " + left + " : " + right + ")";
}

std::string plus(const std::string& text, int number) {
  return number == 0 ? text : text + " + " + std::to_string(number);
}

// The names that the text of a wave brings.
struct Names {
  std::string wave, behind, from, to;
};

Names fresh_names(const KernelContext& context, const Loop& row) {
  const std::string name = row.variable->getNameAsString();
  return {fresh_name(context, name + "_wave"), fresh_name(context, name + "_behind"),
          fresh_name(context, name + "_from"), fresh_name(context, name + "_to")};
}

// The rows of one nest that the wave has reached, counted from `behind` on so that nothing gets below zero.
std::string rows_text(const KernelContext& context, const Loop& nest, const Names& names, const std::string& behind,
                      int width) {
  const auto late = [&](const std::string& text) { return behind.empty() ? text : text + " + " + behind; };
  const auto early = [&](const std::string& text) { return behind.empty() ? text : text + " - (" + behind + ")"; };
  return braces("const " + nest.type + " " + names.from + " = " + chosen(names.wave, ">", late(nest.lower_text)) +
                ";\nconst " + nest.type + " " + names.to + " = " +
                chosen(names.wave + " + " + std::to_string(width), "<", late(nest.upper_text)) + ";\nif (" +
                names.from + " < " + names.to + ") " + header(nest, early(names.from), early(names.to)) +
                text_of(context.ast, nest.body));
}

std::string extreme_of(const std::vector<const Loop*>& nests, const std::string Loop::*bound, const char* test) {
  std::string text = nests[0]->*bound;
  for (const Loop* nest : nests)
    if (nest->*bound != nests[0]->*bound) text = chosen(text, test, nest->*bound);
  return text;
}

std::string wave_header(const Wave& wave, const Names& names, int sweeps, int width) {
  const int last = *std::max_element(wave.behind.begin(), wave.behind.end()) + wave.period * (sweeps - 1);
  const std::string first = extreme_of(wave.nests, &Loop::lower_text, "<");
  return "for (" + wave.nests[0]->type + " " + names.wave + " = " + first + "; " + names.wave + " < " +
         plus(extreme_of(wave.nests, &Loop::upper_text, ">"), last) + "; " + names.wave +
         " += " + std::to_string(width) + ") ";
}

bool has_text(const KernelContext& context, const Wave& wave) {
  return std::none_of(wave.nests.begin(), wave.nests.end(),
                      [&](const Loop* nest) { return text_of(context.ast, nest->body).empty(); });
}

std::vector<int> widths_of(const Wave& wave) {
  const bool single =
      std::any_of(wave.nests.begin(), wave.nests.end(), [](const Loop* nest) { return nest->innermost(); });
  return single ? std::vector{512, 128, 1024, 2048, 4096} : std::vector{1, 2, 4, 8, 16, 32};
}

// Sweeps over time.
class Skew final : public LoopTransformation {
 public:
  std::string_view name() const override { return "skew"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    const Loop* loop = nest.of(place(context, site));
    auto wave = loop ? wave_of_sweeps(context, nest, *loop) : std::nullopt;
    return {{4, 2, 3, 8, 16, 1}, wave ? widths_of(*wave) : std::vector{1}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    return wave_of_sweeps(context, nest, loop).has_value();
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const auto wave = wave_of_sweeps(context, nest, loop);
    if (!has_text(context, *wave)) return std::nullopt;
    const int sweeps = argument(arguments, 0, 4, 1, 1 << 10);
    const int width = argument(arguments, 1, widths_of(*wave).front(), 1, 1 << 20);
    const Names names = fresh_names(context, *wave->nests[0]);
    const std::string strip = fresh_name(context, loop.variable->getNameAsString() + "_strip");
    std::string body;
    for (std::size_t at = 0; at < wave->nests.size(); ++at)
      body += rows_text(context, *wave->nests[at], names, plus(names.behind, wave->behind[at]), width) + "\n";
    body += names.behind + " += " + std::to_string(wave->period) + ";";
    const std::string length = std::to_string(sweeps);
    const std::string end = "(" + loop.upper_text + " - " + strip + " < " + length + " ? " + loop.upper_text + " : " +
                            strip + " + " + length + ")";
    return "for (" + loop.type + " " + strip + " = " + loop.lower_text + "; " + strip + " < " + loop.upper_text + "; " +
           strip + " += " + length + ")\n" + wave_header(*wave, names, sweeps, width) +
           braces(wave->nests[0]->type + " " + names.behind + " = 0;\n" + header(loop, strip, end) + braces(body));
  }
};

// Nests that stand behind one another.
class Pipeline final : public LoopTransformation {
 public:
  std::string_view name() const override { return "pipeline"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    const Loop* loop = nest.of(place(context, site));
    auto wave = loop ? wave_of_neighbors(context, nest, *loop) : std::nullopt;
    return {wave ? widths_of(*wave) : std::vector{1}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    return wave_of_neighbors(context, nest, loop).has_value();
  }

  std::optional<TextRange> range(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    const auto wave = wave_of_neighbors(context, nest, loop);
    auto first = range_with_pragmas(context.ast, loop.statement);
    auto last = range_of(context.ast, wave->nests.back()->statement);
    return first && last ? std::optional(TextRange{first->begin, last->end}) : std::nullopt;
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    const auto wave = wave_of_neighbors(context, nest, loop);
    if (!has_text(context, *wave)) return std::nullopt;
    const int width = argument(arguments, 0, widths_of(*wave).front(), 1, 1 << 20);
    const Names names = fresh_names(context, loop);
    std::string body;
    for (std::size_t at = 0; at < wave->nests.size(); ++at) {
      const int behind = wave->behind[at];
      body += rows_text(context, *wave->nests[at], names, behind ? std::to_string(behind) : "", width) + "\n";
    }
    return wave_header(*wave, names, 1, width) + braces(body);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_skew() {
  return std::make_unique<Skew>();
}
std::unique_ptr<Transformation> make_pipeline() {
  return std::make_unique<Pipeline>();
}

}  // namespace hone::frontend

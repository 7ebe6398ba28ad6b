#include "tool/search/knowledge/shape.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tool/search/knowledge/access_pattern.h"
#include "tool/search/knowledge/loop_head.h"

namespace hone::search {
namespace {

constexpr std::size_t most_loops = 16;  // loops within loops; text need not be sane

struct Loop {
  unsigned id = 0;
  Counter counter;
  bool sums = false;
  bool along_row = false;  // of the loop around it
  unsigned rows = 0;       // loops inside that go along its row
  bool row_sums = false;   // one of them sums
};

struct Store {
  unsigned loop = 0;
  IndexForm value;
};

class ShapeReader {
 public:
  // Adds to `shape`. The code is borrowed.
  ShapeReader(const CodeText& code, bool device, const Shape& shape) : code_(code), device_(device), shape_(shape) {}

  // One function's body.
  Shape read(TokenRange body) {
    loops_.push_back({++last_id_});
    if (device_) enter_grid(body);
    walk(body);
    leave_rows(loops_.back(), device_ ? 1 : 2);
    for (const Store& store : stores_)
      for (const auto& [name, loop] : summed_)
        shape_.scan = shape_.scan || (loop == store.loop && store.value.names.contains(name));
    add_accesses(shape_, accesses_, device_);
    return shape_;
  }

 private:
  using Words = std::initializer_list<std::string_view>;
  bool word(std::size_t i, Words words) const {
    return i < code_.tokens().size() && std::find(words.begin(), words.end(), code_.spelling(i)) != words.end();
  }
  bool is_name(std::size_t i) const {
    return i < code_.tokens().size() && code_.tokens()[i].kind == CodeTokenKind::identifier;
  }
  bool in_loop() const { return loops_.size() > 1 || !grid_.empty(); }

  // Each thread is a turn of as many loops as the grid has dimensions.
  void enter_grid(TokenRange body) {
    for (std::size_t i = body.begin; i + 2 < body.end; ++i)
      if (word(i, {"threadIdx", "blockIdx"}) && word(i + 2, {"x", "y", "z"}))
        grid_.insert(std::string(code_.spelling(i)) + "." + std::string(code_.spelling(i + 2)));
    std::set<char> dimensions;
    for (const std::string& name : grid_) dimensions.insert(name.back());
    grid_depth_ = static_cast<unsigned>(dimensions.size());
    shape_.depth = std::max(shape_.depth, grid_depth_);
  }

  void walk(TokenRange range) {
    for (std::size_t i = range.begin; i < range.end;) {
      const bool loop = word(i, {"for", "while"}) && code_.is(i + 1, "(");
      if (loop && loops_.size() < most_loops) {
        i = walk_loop(i, range.end);
      } else {
        look(i, range.end);
        ++i;
      }
    }
  }

  // Returns where it ends.
  std::size_t walk_loop(std::size_t at, std::size_t end) {
    const std::size_t close = code_.closing(at + 1);
    if (close == CodeText::npos || close >= end) return end;
    const TokenRange head{at + 2, close}, body{close + 1, end_of_statement(code_, {close + 1, end})};
    const LoopHead loop = read_loop_head(code_, head);
    if (depends_on_data(head) || (device_ && code_.is(at, "while"))) shape_.uneven = true;
    if (loop.is_short) shape_.short_loops = true;
    if (device_ && loop.halved) shape_.sum = true;  // a tree over a block's threads
    if (is_grid_stride(loop)) {
      set(loop.counter, loop.first);
      walk(body);
    } else {
      walk_turns(loop, body);
    }
    return body.end;
  }

  void walk_turns(const LoopHead& loop, TokenRange body) {
    meanings_.erase(loop.counter);
    loops_.push_back({++last_id_, {loop.counter, loop.by_one}});
    shape_.depth = std::max(shape_.depth, grid_depth_ + static_cast<unsigned>(loops_.size()) - 1);
    walk(body);
    leave_loop();
  }

  void leave_loop() {
    const Loop inner = std::move(loops_.back());
    loops_.pop_back();
    leave_rows(inner, 2);
    Loop& around = loops_.back();
    if (inner.along_row) ++around.rows;
    around.row_sums = around.row_sums || (inner.along_row && inner.sums);
  }

  // Of a thread one loop is enough: neither its neighbours read its row, nor does it come in one piece.
  void leave_rows(const Loop& loop, unsigned least) {
    shape_.rows = shape_.rows || (loop.row_sums && loop.rows >= least);
  }

  IndexForm form(TokenRange range) const { return IndexReader(code_, meaning_).read(range); }
  TokenRange value_from(std::size_t begin, std::size_t end) const {
    return {begin, end_of_expression(code_, {begin, end})};
  }

  bool depends_on_thread(const IndexForm& value) const {
    return std::ranges::any_of(value.names, [&](const std::string& name) { return grid_.contains(name); });
  }

  // for (int i = blockIdx.x * blockDim.x + threadIdx.x; …; i += gridDim.x * blockDim.x)
  bool is_grid_stride(const LoopHead& loop) const {
    return device_ && !loop.by_one && depends_on_thread(form(loop.first));
  }

  bool depends_on_data(TokenRange range) const {
    const IndexForm value = form(range);
    return value.looked_up || range.any_of([&](std::size_t i) { return code_.is(i, "["); }) ||
           std::ranges::any_of(value.names, [&](const std::string& name) { return data_.contains(name); });
  }

  void look(std::size_t i, std::size_t end) {
    look_at_call(i, end);
    if (!in_loop()) return remember(i, end);
    if (word(i, {"/", "%"})) shape_.division = true;
    if (code_.is(i, "if") && code_.is(i + 1, "(")) look_at_if(i + 1, end);
    if (code_.is(i, "?")) condition({begin_of_expression(code_, i), i});
    if (code_.is(i, "[") && !code_.is(i - 1, "]")) subscript(i, end);
    if (code_.is(i, "+") && code_.is(i + 1, "=")) sum(i, value_from(i + 2, end));
    remember(i, end);
  }

  void look_at_call(std::size_t i, std::size_t end) {
    if (code_.is(i, "<") && code_.is(i + 1, "<") && code_.is(i + 2, "<") && loops_.size() > 1)
      shape_.launches_in_loop = true;
    if (!code_.is(i + 1, "(") || !is_name(i)) return;
    look_at_function(code_.spelling(i));
    const std::size_t close = code_.closing(i + 1);
    if (word(i, {"atomicAdd"}) && close != CodeText::npos && close < end) atomic({i + 2, close});
  }

  void look_at_function(std::string_view name) {
    if (name.starts_with("__")) name.remove_prefix(2);  // __expf
    if (name.ends_with('f') && name != "erf") name.remove_suffix(1);
    const auto is = [&](Words words) { return std::ranges::find(words, name) != words.end(); };
    if (is({"exp", "exp2", "expm1", "tanh", "sinh", "cosh", "erf", "erfc"})) shape_.exponential = true;
    if (is({"log", "log2", "log10", "log1p", "pow"})) shape_.logarithm = true;
    if (is({"sin", "cos", "sincos", "tan", "asin", "acos", "atan", "atan2"})) shape_.other_function = true;
    if (is({"sqrt", "rsqrt", "hypot"})) shape_.root = true;
    if (is({"swap", "sort", "stable_sort", "nth_element", "iter_swap"})) shape_.moves = true;
  }

  // What a name is set to, for subscripts behind it.
  void remember(std::size_t i, std::size_t end) {
    if (!is_name(i) || !code_.is(i + 1, "=") || code_.is(i + 2, "=") || code_.is(i - 1, ".")) return;
    const TokenRange value = value_from(i + 2, end);
    const std::string name(code_.spelling(i));
    if (depends_on_data(value)) data_.insert(name);
    if (in_loop() && is_name(value.begin) && code_.spelling(value.begin) == name && code_.is(value.begin + 1, "+"))
      add(name, {value.begin + 2, value.end});
    set(name, value);
  }

  void set(const std::string& name, TokenRange value) {
    const auto is_itself = [&](std::size_t i) {
      return is_name(i) && code_.spelling(i) == name && !code_.is(i - 1, ".");
    };
    if (value.any_of(is_itself))
      meanings_.erase(name);
    else
      meanings_[name] = value;
  }

  void look_at_if(std::size_t open, std::size_t end) {
    const std::size_t close = code_.closing(open);
    if (close == CodeText::npos || close >= end) return;
    condition({open + 1, close});
    if (keeps_place({open + 1, close}, {close + 1, end_of_statement(code_, {close + 1, end})})) shape_.extreme = true;
  }

  void condition(TokenRange range) {
    if (depends_on_data(range))
      shape_.choice = true;
    else if (loops_.size() > 1 || !device_)
      shape_.border = true;
  }

  // if (x[i] > best) { best = x[i]; place = i; }
  bool keeps_place(TokenRange asked, TokenRange body) const {
    if (!asked.any_of([&](std::size_t i) { return word(i, {"<", ">"}); })) return false;
    const auto is_asked_for = [&](std::size_t set) {
      return asked.any_of([&](std::size_t i) { return code_.spelling(i) == code_.spelling(set); });
    };
    const auto is_set = [&](std::size_t i) { return is_name(i) && code_.is(i + 1, "=") && !code_.is(i - 1, "."); };
    return body.any_of([&](std::size_t i) { return is_set(i) && is_asked_for(i); }) &&
           body.any_of([&](std::size_t i) { return is_set(i) && is_counter_alone(i + 2); });
  }

  bool is_counter_alone(std::size_t i) const {
    return is_name(i) && code_.is(i + 1, ";") && is_counter(code_.spelling(i));
  }

  bool is_counter(std::string_view name) const {
    return std::ranges::any_of(loops_, [&](const Loop& loop) { return loop.counter.name == name; });
  }

  std::vector<Counter> counters() const {
    std::vector<Counter> all;
    for (const std::string& name : grid_) all.push_back({name});
    for (const Loop& loop : loops_)
      if (!loop.counter.name.empty()) all.push_back(loop.counter);
    return all;
  }

  // All of a[i][j] as one sum, in which a row has some length; `last` becomes the last bracket.
  Access access_at(std::size_t open, std::size_t& last) const {
    Access access{.array = is_name(open - 1) ? std::string(code_.spelling(open - 1)) : "", .counters = counters()};
    for (std::size_t at = open; code_.is(at, "["); at = last + 1) {
      last = code_.closing(at);
      if (last == CodeText::npos) break;
      for (IndexForm::Product& term : access.form.terms) term.push_back("row");
      join(access.form, form({at + 1, last}));
    }
    follow_pointer(access);
    if (last != CodeText::npos && code_.is(last + 1, ".") && is_name(last + 2) && !code_.is(last + 3, "("))
      access.member = code_.spelling(last + 2);
    return access;
  }

  static void join(IndexForm& form, const IndexForm& more) {
    form.terms.insert(form.terms.end(), more.terms.begin(), more.terms.end());
    form.names.insert(more.names.begin(), more.names.end());
    form.looked_up = form.looked_up || more.looked_up;
    std::ranges::sort(form.terms);
  }

  // const float* in = x + r * columns; in[c] is of x.
  void follow_pointer(Access& access) const {
    const auto meant = meanings_.find(access.array);
    if (meant == meanings_.end()) return;
    join(access.form, form(meant->second));
    std::size_t first = meant->second.begin;
    while (first < meant->second.end && !is_name(first)) ++first;
    if (first < meant->second.end) access.array = code_.spelling(first);
  }

  void subscript(std::size_t open, std::size_t end) {
    std::size_t last = CodeText::npos;
    Access access = access_at(open, last);
    if (last == CodeText::npos || last >= end) return;
    const std::size_t behind = access.member.empty() ? last + 1 : last + 3;
    const bool assigned = code_.is(behind, "=") && !code_.is(behind + 1, "=");
    const bool changed = word(behind, {"+", "-", "*"}) && code_.is(behind + 1, "=");
    const bool counted = (code_.is(behind, "+") && code_.is(behind + 1, "+")) ||
                         (open >= 3 && code_.is(open - 2, "+") && code_.is(open - 3, "+"));
    access.stored = assigned || changed || counted;
    if (access.form.looked_up && (counted || changed)) shape_.histogram = true;
    if (assigned) store(access, open, value_from(behind + 1, end));
    if (changed) sum_into(access, value_from(behind + 2, end));
    note_row(access);
    accesses_.push_back(std::move(access));
  }

  // Whether the innermost loop goes along a row of those around it.
  void note_row(const Access& access) {
    Loop& loop = loops_.back();
    if (loops_.size() < 2) return;
    for (const Counter& across : access.counters)
      loop.along_row = loop.along_row || is_along_row(access, loop.counter.name, across.name);
  }

  void store(const Access& to, std::size_t open, TokenRange value) {
    if (is_sum_of_itself(open, value)) {
      if (to.form.looked_up) shape_.histogram = true;
      sum_into(to, value);
      return;
    }
    if (!counters_of(to).empty()) stores_.push_back({loops_.back().id, form(value)});
    std::size_t last = CodeText::npos;
    if (!is_name(value.begin) || !code_.is(value.begin + 1, "[")) return;
    const Access from = access_at(value.begin + 1, last);
    if (last == CodeText::npos || last + 1 < value.end) return;
    if (to.array == from.array && !counters_of(to).empty()) shape_.moves = true;
    if (to.array == from.array) return;
    shape_.copy = true;
    shape_.turns = shape_.turns || turns(to, from);
  }

  // a[i] = a[i] + …
  bool is_sum_of_itself(std::size_t open, TokenRange value) const {
    if (open == 0) return false;
    std::size_t i = open - 1, j = value.begin;
    for (; j < value.end && !code_.is(i, "="); ++i, ++j)
      if (code_.spelling(i) != code_.spelling(j)) return false;
    return j < value.end && code_.is(j, "+");
  }

  void sum(std::size_t plus, TokenRange value) {
    if (plus > 0 && is_name(plus - 1)) add(std::string(code_.spelling(plus - 1)), value);
  }

  // a[i] += … is a sum where the innermost loop stays at a[i].
  void sum_into(const Access& access, TokenRange value) {
    const std::string& counter = loops_.back().counter.name;
    const bool stays = loops_.size() > 1 && !access.depends_on(counter);
    shape_.sum_into_array = shape_.sum_into_array || stays;
    note_sum(value);
  }

  void add(const std::string& name, TokenRange value) {
    if (is_counter(name)) return;
    shape_.sum = true;
    summed_[name] = loops_.back().id;
    if (depends_on_data(value)) data_.insert(name);
    note_sum(value);
  }

  // Products of elements of two arrays, and which loops each of them lacks.
  void note_sum(TokenRange value) {
    loops_.back().sums = true;
    for (const TokenRange& part : split(code_, value, "+-")) {
      std::vector<Access> factors;
      for (const TokenRange& factor : split(code_, part, "*"))
        if (auto one = only_element(factor)) factors.push_back(std::move(*one));
      for (std::size_t i = 0; i < factors.size(); ++i)
        for (std::size_t j = i + 1; j < factors.size(); ++j) note_product(factors[i], factors[j]);
    }
  }

  // The one element of an array that a factor is made of, also by a name for it.
  std::optional<Access> only_element(TokenRange range) const {
    std::optional<Access> found;
    if (range.end == range.begin + 1 && is_name(range.begin))
      if (const auto meant = meanings_.find(code_.spelling(range.begin)); meant != meanings_.end())
        range = meant->second;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (!code_.is(i, "[") || code_.is(i - 1, "]")) continue;
      std::size_t last = CodeText::npos;
      if (found) return std::nullopt;
      found = access_at(i, last);
      if (last == CodeText::npos) return std::nullopt;
      i = last;
    }
    return found;
  }

  // What tells elements apart: counters, and names that are cut out of a counter (index / size, index % size).
  std::set<std::string> coordinates_of(const Access& access) const {
    std::set<std::string> found = counters_of(access);
    for (const std::string& name : access.form.names)
      if (const auto meant = meanings_.find(name);
          meant != meanings_.end() && split(code_, meant->second, "/%").size() > 1)
        found.insert(name);
    return found;
  }

  void note_product(const Access& one, const Access& other) {
    add_product(shape_, coordinates_of(one), coordinates_of(other));
  }

  // atomicAdd(&bins[x[i]], 1), atomicAdd(bins + bin, w)
  void atomic(TokenRange arguments) {
    TokenRange place = split(code_, arguments, ",").front();
    for (std::size_t i = place.begin; code_.is(place.begin, "&") && i < place.end; ++i)
      if (code_.is(i, "[")) place = {i + 1, std::min(code_.closing(i), place.end)};
    (form(place).looked_up ? shape_.histogram : shape_.atomic_sum) = true;
  }

  const CodeText& code_;
  const bool device_;
  Shape shape_;
  std::vector<Loop> loops_;  // the function itself first
  std::set<std::string, std::less<>> grid_;
  unsigned grid_depth_ = 0, last_id_ = 0;
  std::map<std::string, TokenRange, std::less<>> meanings_;
  std::set<std::string, std::less<>> data_;  // names whose value comes from an array
  std::map<std::string, unsigned> summed_;   // in which loop
  std::vector<Store> stores_;
  std::vector<Access> accesses_;
  const IndexReader::Meaning meaning_ = [this](std::string_view name) -> std::optional<TokenRange> {
    const auto found = meanings_.find(name);
    return found == meanings_.end() || is_counter(name) ? std::nullopt : std::optional(found->second);
  };
};

// The bodies of all functions; where there is none, all of the text.
std::vector<TokenRange> bodies(const CodeText& code) {
  std::vector<TokenRange> found;
  for (const CodeText::Definition& one : code.definitions())
    if (one.close != CodeText::npos) found.push_back({one.open + 1, one.close});
  if (found.empty()) found.push_back({0, code.tokens().size()});
  return found;
}

}  // namespace

Shape shape_of(std::string_view text, bool device) {
  const CodeText code(text);
  Shape shape;
  for (const TokenRange& body : bodies(code)) shape = ShapeReader(code, device, shape).read(body);
  return shape;
}

}  // namespace hone::search

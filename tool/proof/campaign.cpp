#include "tool/proof/campaign.h"

#include <algorithm>
#include <set>

namespace hone::proof {
namespace {

// Sizes of one number up to several vectors, the least that is news, and a value like any other.
constexpr long long largest_alone = 64, worth_saying = 2, typical = 5;
constexpr std::size_t most_choices = 4;  // sizes together multiply

bool is_number(const Parameter& parameter) {
  return !parameter.pointer && parameter.element.fields.size() == 1 && parameter.element.fields[0].count == 1 &&
         parameter.element.fields[0].type.kind != ScalarKind::floating;
}

// Sizes to compare; those at which vectors of 16 and 32 bytes begin come before what lies between.
std::vector<long long> sizes_alone() {
  std::vector<long long> sizes;
  const auto add = [&](long long from, long long to) {
    for (long long n = from; n <= to; ++n)
      if (std::ranges::find(sizes, n) == sizes.end()) sizes.push_back(n);
  };
  add(0, 9), add(16, 17), add(32, 33), add(10, largest_alone);
  return sizes;
}

// Each of several sizes up to `most`, the small ones first.
std::vector<std::vector<long long>> sizes_together(std::size_t count, long long most) {
  std::vector<std::vector<long long>> all{{}};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::vector<long long>> longer;
    for (const auto& one : all)
      for (long long n = 0; n <= most; ++n) {
        longer.push_back(one);
        longer.back().push_back(n);
      }
    all = std::move(longer);
  }
  std::ranges::stable_sort(all, {}, [](const auto& one) { return *std::ranges::max_element(one); });
  return all;
}

class Campaign {
 public:
  Campaign(const KernelData& spec, const Modules& modules, double seconds)
      : spec_(spec), modules_(modules), effort_(seconds) {}

  Report run() {
    if (spec_.threads > 1) return {.why = "threads"};
    if (spec_.cuda) return {.why = "a device"};
    find_sizes();
    Report report = attempt({});
    // The other values are now those that the problem gives, as the unknown ones may be what makes it hard.
    if (!report.example && report.proved.empty() && effort_.left() > 0) {
      const Given fixed = others_as_declared();
      if (!fixed.empty()) {
        const Report other = attempt(fixed);
        if (!other.proved.empty() || other.example) return other;
      }
    }
    return report;
  }

 private:
  void find_sizes() {
    Given all;
    for (unsigned i = 0; i < spec_.parameters.size(); ++i)
      if (is_number(spec_.parameters[i])) all[i] = typical;
    for (const auto& [parameter, value] : all) {
      Given rest = all;
      rest.erase(parameter);
      if (!sizes_known(spec_, modules_.original, rest, effort_)) sizes_.push_back(parameter);
    }
  }

  Given others_as_declared() {
    Given fixed = declared(spec_, modules_.original, 0, effort_);
    for (const unsigned size : sizes_) fixed.erase(size);
    return fixed;
  }

  std::string name(unsigned parameter) const { return spec_.parameters[parameter].name; }

  // Compares at one size. False: the campaign ends here.
  bool compare(const Given& given, Report& report) {
    const Outcome outcome = proof::compare(logic_, spec_, modules_, given, effort_, !report.wraps);
    report.why = outcome.why;
    report.wraps |= outcome.wraps;
    if (outcome.kind == Outcome::Kind::equal) ++report.sizes;
    if (outcome.kind == Outcome::Kind::differs) report.example = outcome.example;
    return outcome.kind == Outcome::Kind::equal || outcome.kind == Outcome::Kind::undefined;
  }

  Report attempt(const Given& fixed) {
    Report report;
    try {
      if (sizes_.empty())
        try_all(fixed, report);
      else if (sizes_.size() == 1)
        try_one(fixed, report);
      else
        try_several(fixed, report);
    } catch (const OutOfTime& late) {
      report.why = "more time than there is";
    }
    if (report.example) report.proved.clear();
    if (!report.proved.empty())
      for (const auto& [parameter, value] : fixed)
        report.proved +=
            (parameter == fixed.begin()->first ? " with " : ", ") + name(parameter) + " = " + std::to_string(value);
    return report;
  }

  void try_all(const Given& fixed, Report& report) {
    if (compare(fixed, report) && report.sizes > 0) report.proved = "all inputs";
  }

  void say_one(const std::set<long long>& done, Report& report) {
    long long most = -1;
    while (done.contains(most + 1)) ++most;
    if (most < worth_saying || report.sizes == 0) return;
    report.proved = name(sizes_[0]) + " <= " + std::to_string(most);
    std::string more;
    for (const long long n : done)
      if (n > most + 1) more += (more.empty() ? " and for " : ", ") + std::to_string(n);
    report.proved += more;
  }

  void try_one(const Given& fixed, Report& report) {
    std::set<long long> done;
    try {
      for (const long long n : sizes_alone()) {
        Given given = fixed;
        given[sizes_[0]] = n;
        if (!compare(given, report)) break;
        done.insert(n);
      }
    } catch (const OutOfTime&) {
      report.why = "more time than there is";
    }
    say_one(done, report);
  }

  void try_several(const Given& fixed, Report& report) {
    if (sizes_.size() > most_choices) {
      report.why = "many sizes";
      return;
    }
    long long done = -1;
    const auto say = [&] {
      if (done < 1 || report.sizes == 0) return;
      std::string names;
      for (const unsigned size : sizes_) names += (names.empty() ? "" : ", ") + name(size);
      report.proved = names + " <= " + std::to_string(done);
    };
    try {
      for (const auto& sizes : sizes_together(sizes_.size(), sizes_.size() == 2 ? 9 : 4)) {
        Given given = fixed;
        for (std::size_t i = 0; i < sizes.size(); ++i) given[sizes_[i]] = sizes[i];
        const long long most = *std::ranges::max_element(sizes);
        if (most > done + 1) done = most - 1;
        if (!compare(given, report)) return say();
        if (std::ranges::all_of(sizes, [&](long long n) { return n == most; })) done = most;
      }
    } catch (const OutOfTime&) {
      report.why = "more time than there is";
    }
    say();
  }

  const KernelData& spec_;
  const Modules& modules_;
  Effort effort_;
  Logic logic_;
  std::vector<unsigned> sizes_;
};

}  // namespace

Report prove(const KernelData& spec, const Modules& modules, double seconds) {
  return Campaign(spec, modules, seconds).run();
}

}  // namespace hone::proof

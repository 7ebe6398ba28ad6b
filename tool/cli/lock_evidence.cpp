#include "tool/cli/lock_evidence.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "tool/cli/command/command.h"
#include "tool/lock/machine_rule.h"
#include "tool/lock/verified_elsewhere.h"
#include "tool/os/files/files.h"
#include "tool/project/declared_machines.h"
#include "tool/project/project.h"
#include "tool/report/text.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using cache::MachineFigure;
using cache::Standing;

constexpr std::size_t largest = std::size_t{64} << 20;  // verdicts of a thousand kernels, with all their sizes

struct Count {
  unsigned figures = 0, tuned = 0;
  std::map<Standing, unsigned> standings;
};

struct Evidence {
  std::vector<std::pair<cache::LockEntry, cache::HeldOn>> kernels;  // with what is about their variants
  std::map<std::string, Count> machines;
  std::vector<std::string> declared;
  // Figures of other kinds than those that the variants were tuned on, where that is known.
  unsigned elsewhere = 0, held_elsewhere = 0;
};

// Of what an earlier Hone tuned, nobody knows.
bool was_tuned_on_one_of(const cache::HeldOn& held) {
  return std::ranges::any_of(held, [](const auto& one) { return one.second.tuned; });
}

Evidence evidence_in(const cache::LockFile& lock, std::vector<std::string> declared) {
  Evidence evidence;
  evidence.declared = std::move(declared);
  for (const std::string& machine : evidence.declared) evidence.machines[machine];
  for (const cache::LockEntry& entry : lock.entries) {
    if (!entry.variant) continue;
    cache::HeldOn held = cache::figures_about(entry.held_on, *entry.variant);
    const bool known = was_tuned_on_one_of(held);
    for (const auto& [machine, figure] : held) {
      const Standing standing = cache::standing_of(figure);
      Count& count = evidence.machines[machine];
      ++count.figures;
      ++count.standings[standing];
      count.tuned += figure.tuned;
      evidence.elsewhere += known && !figure.tuned;
      evidence.held_elsewhere += known && !figure.tuned && standing == Standing::holds;
    }
    evidence.kernels.emplace_back(entry, std::move(held));
  }
  return evidence;
}

// "3.05x", "0.80x slower", "wrong"; "*" where it was tuned.
std::string cell(const cache::HeldOn& held, const std::string& machine) {
  const auto found = held.find(machine);
  if (found == held.end()) return "-";
  const MachineFigure& figure = found->second;
  const Standing standing = cache::standing_of(figure);
  std::string text = figure.right ? report::times(figure.median) : "wrong";
  if (standing == Standing::slower || standing == Standing::even) text += std::string(" ") + to_string(standing);
  return text + (figure.tuned ? " *" : "");
}

std::string in_words(const std::string& machine, const Count& count, bool declared) {
  std::string text = fmt::format("{}: {}", machine, declared ? "declared in hone.json; " : "");
  if (count.figures == 0) return text + "no figures yet";
  const auto of = [&](Standing standing) {
    const auto found = count.standings.find(standing);
    return found == count.standings.end() ? 0u : found->second;
  };
  text += fmt::format("{} of {} hold", of(Standing::holds), count.figures);
  for (const Standing standing : {Standing::even, Standing::slower, Standing::wrong})
    if (of(standing)) text += fmt::format(", {} {}", of(standing), to_string(standing));
  return text;
}

bool is_declared(const Evidence& evidence, const std::string& machine) {
  return std::ranges::find(evidence.declared, machine) != evidence.declared.end();
}

void print(const Evidence& evidence) {
  std::vector<std::vector<std::string>> rows{{"kernel"}};
  for (const auto& [machine, count] : evidence.machines) rows.front().push_back(machine);
  bool tuned = false;
  for (const auto& [entry, held] : evidence.kernels) {
    rows.push_back({entry.name});
    for (const auto& [machine, count] : evidence.machines) rows.back().push_back(cell(held, machine));
    tuned |= was_tuned_on_one_of(held);
  }
  std::vector<bool> numbers(rows.front().size(), true);
  numbers.front() = false;
  say("{}", report::table(rows, numbers));
  if (tuned) say("* tuned there\n");
  for (const auto& [machine, count] : evidence.machines)
    say("{}\n", in_words(machine, count, is_declared(evidence, machine)));
  if (evidence.elsewhere)
    say("elsewhere than where they were tuned: {} of {} hold ({:.0f}%)\n", evidence.held_elsewhere, evidence.elsewhere,
        100.0 * evidence.held_elsewhere / evidence.elsewhere);
  for (const auto& [entry, held] : evidence.kernels)
    if (lock::is_disputed(entry))
      say("'{}' ({}): builds for kinds on which it is slower or wrong compile the original\n", entry.name, entry.file);
}

Json figures_json(const cache::HeldOn& held) {
  Json list = Json::array();
  for (const auto& [machine, figure] : held) {
    Json one{{"machine", machine}, {"standing", to_string(cache::standing_of(figure))}, {"right", figure.right}};
    if (figure.right)
      one["speedup"] = {{"median", figure.median}, {"low", figure.low}, {"high", figure.high}};
    else
      one["speedup"] = nullptr;
    one["tuned"] = figure.tuned;
    list.push_back(std::move(one));
  }
  return list;
}

Json to_json(const Evidence& evidence, const std::vector<std::string>& unused) {
  Json kernels = Json::array(), machines = Json::array();
  for (const auto& [entry, held] : evidence.kernels)
    kernels.push_back({{"name", entry.name},
                       {"file", entry.file},
                       {"key", entry.key},
                       {"variant", *entry.variant},
                       {"held_on", figures_json(held)}});
  for (const auto& [machine, count] : evidence.machines) {
    Json one{{"machine", machine}, {"declared", is_declared(evidence, machine)}, {"figures", count.figures}};
    for (const Standing standing : {Standing::holds, Standing::even, Standing::slower, Standing::wrong})
      one[to_string(standing)] = count.standings.contains(standing) ? count.standings.at(standing) : 0;
    machines.push_back(std::move(one));
  }
  const Json share =
      evidence.elsewhere ? Json(static_cast<double>(evidence.held_elsewhere) / evidence.elsewhere) : Json(nullptr);
  return {{"kernels", kernels},
          {"machines", machines},
          {"elsewhere", {{"figures", evidence.elsewhere}, {"holds", evidence.held_elsewhere}, {"share", share}}},
          {"unused", unused}};
}

// False: one of the files is none; the others count.
bool read_files(const std::vector<std::string>& files, std::vector<lock::VerifiedElsewhere>& figures) {
  bool all = true;
  for (const std::string& file : files) {
    const auto text = os::read_file(file, largest);
    auto read = text ? lock::read_verified(*text, file) : tl::unexpected(text.error());
    if (read)
      figures.insert(figures.end(), read->begin(), read->end());
    else
      complain(read.error(), no), all = false;
  }
  return all;
}

}  // namespace

int lock_evidence(const std::vector<std::string>& files, std::string lock, bool as_json) {
  std::error_code error;
  const fs::path path = lock.empty() ? project::nearest_lock(fs::current_path(error)) : fs::absolute(lock, error);
  if (!fs::exists(path, error))
    return complain(Error{"there is no lock file", path.string(), "name it with --lock, or tune first"}, environment);
  std::vector<lock::VerifiedElsewhere> figures;
  const bool all = read_files(files, figures);
  std::vector<std::string> unused;
  if (!figures.empty()) {
    const auto written = cache::LockFile::update(
        path, [&](cache::LockFile& content) { unused = lock::join_verified(content, figures); });
    if (!written) return complain(written.error(), environment);
  }
  for (const std::string& line : unused) complain(line, done);
  const auto content = cache::LockFile::read(path);
  if (!content) return complain(content.error(), environment);
  auto declared = project::declared_machines(path);
  if (!declared) return complain(declared.error(), environment);
  const Evidence evidence = evidence_in(*content, std::move(*declared));
  if (as_json)
    fmt::print("{}\n", to_json(evidence, unused).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print(evidence);
  return all ? done : no;
}

}  // namespace hone::cli

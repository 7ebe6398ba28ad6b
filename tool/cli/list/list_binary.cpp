#include "tool/cli/list/list_binary.h"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "tool/cli/command/command.h"
#include "tool/linked/note_reader.h"
#include "tool/os/files/files.h"
#include "tool/report/text.h"

namespace hone::cli {
namespace {

using nlohmann::json;

struct Binary {
  std::string file;
  std::vector<linked::LinkedUnit> units;
};

bool has_kernels(const Binary& binary) {
  return std::ranges::any_of(binary.units, [](const linked::LinkedUnit& unit) { return !unit.kernels.empty(); });
}

std::string shown(const std::string& file, const linked::LinkedUnit& unit) {
  return unit.member.empty() ? file : fmt::format("{}({})", file, unit.member);
}

Result<Binary> read_binary(const std::string& file) {
  HONE_TRY(const std::string bytes, os::read_file(file));
  auto units = linked::read_linked(bytes);
  if (!units) return failure(units.error().what, file, units.error().advice);
  return Binary{file, std::move(*units)};
}

// Keeps those that the names mean. Error: one of them means none.
Result<void> keep_named(std::vector<Binary>& binaries, const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const Binary& binary : binaries)
    for (const linked::LinkedUnit& unit : binary.units)
      for (const linked::LinkedKernel& kernel : unit.kernels) known.insert(kernel.name);
  HONE_TRY(const std::set<std::string> wanted, project::select_names(known, names));
  for (Binary& binary : binaries)
    for (linked::LinkedUnit& unit : binary.units)
      std::erase_if(unit.kernels, [&](const linked::LinkedKernel& kernel) { return !wanted.contains(kernel.name); });
  return {};
}

void print_binaries(const std::vector<Binary>& binaries) {
  std::vector<std::vector<std::string>> rows{{"kernel", "linked", "variant", "key", "file", "in"}};
  for (const Binary& binary : binaries)
    for (const linked::LinkedUnit& unit : binary.units)
      for (const linked::LinkedKernel& kernel : unit.kernels)
        rows.push_back({printable_line(kernel.name), kernel.variant.empty() ? "original" : "variant",
                        kernel.variant.empty()
                            ? "-"
                            : printable_line(kernel.variant.substr(0, 12)) +
                                  (kernel.built_for.empty() ? "" : " " + printable_line(kernel.built_for)),
                        printable_line(kernel.key.substr(0, 12)), printable_line(kernel.file),
                        printable_line(shown(binary.file, unit))});
  if (rows.size() > 1) say("{}", report::table(rows, {}));
  for (const Binary& binary : binaries)
    for (const linked::LinkedUnit& unit : binary.units)
      for (const linked::LinkedKernel& kernel : unit.kernels)
        if (kernel.variant.empty())
          say("{}: the original of '{}' is linked: {}\n", shown(binary.file, unit), printable_line(kernel.name),
              printable_line(linked::in_words(kernel.reason)));
}

void say_what_is_missing(const Binary& binary) {
  for (const linked::LinkedUnit& unit : binary.units)
    if (unit.is_bytecode)
      complain(shown(binary.file, unit) +
                   ": it is for link-time optimization and says nothing yet; name the program that is linked of it",
               no);
  if (binary.units.empty())
    complain(
        binary.file +
            ": it says nothing of kernels: it has none, or was built without Hone, in mode off or by an earlier Hone",
        no);
}

std::string binaries_json(const std::vector<Binary>& binaries) {
  json list = json::array();
  for (const Binary& binary : binaries) {
    json units = json::array();
    for (const linked::LinkedUnit& unit : binary.units) {
      json kernels = json::array();
      for (const linked::LinkedKernel& kernel : unit.kernels)
        kernels.push_back({{"name", kernel.name},
                           {"file", kernel.file},
                           {"key", kernel.key},
                           {"variant", kernel.variant.empty() ? json() : json(kernel.variant)},
                           {"reason", kernel.reason},
                           {"built_for", kernel.built_for}});
      units.push_back({{"member", unit.member}, {"bytecode", unit.is_bytecode}, {"kernels", std::move(kernels)}});
    }
    list.push_back({{"file", binary.file}, {"units", std::move(units)}});
  }
  return json{{"binaries", std::move(list)}}.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace

int list_binaries(const std::vector<std::string>& files, const std::vector<std::string>& names, bool as_json) {
  std::vector<Binary> binaries;
  int code = done;
  for (const std::string& file : files) {
    auto binary = read_binary(file);
    if (binary)
      binaries.push_back(std::move(*binary));
    else
      code = complain(binary.error(), environment);
  }
  if (!names.empty())
    if (const auto kept = keep_named(binaries, names); !kept) return complain(kept.error(), usage);
  if (as_json)
    fmt::print("{}", binaries_json(binaries));
  else
    print_binaries(binaries);
  for (const Binary& binary : binaries) {
    say_what_is_missing(binary);
    if (code == done && !has_kernels(binary)) code = no;
  }
  return code;
}

}  // namespace hone::cli

#include "tool/suggest/symbols.h"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "tool/diagnostics/coded_failure.h"

namespace hone::suggest {
namespace {

bool is_systems(const std::string& module) {
  return module.empty() || module.starts_with("/usr/lib/") || module.starts_with("/lib/") ||
         module.starts_with("/lib64/") || module.ends_with("/hone-sampler.so");
}

// "/src/a.cpp:12 (discriminator 3)", "??:0", "??:?"
void read_place(const std::string& text, Frame& frame) {
  const std::size_t colon = text.rfind(':', text.find(" (discriminator"));
  if (colon == std::string::npos || text.starts_with("??")) return;
  frame.line = static_cast<unsigned>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
  if (frame.line != 0) frame.file = std::filesystem::path(text.substr(0, colon)).lexically_normal().string();
}

// What addr2line -a -f -i prints: "0x…", then a function and its place for each frame.
void read_answer(const std::string& text, unsigned module, Frames& frames) {
  std::istringstream lines(text);
  std::vector<Frame>* here = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      here = &frames[{module, std::strtoull(line.c_str(), nullptr, 16)}];
      here->clear();
      continue;
    }
    std::string place;
    if (!here || !std::getline(lines, place)) return;
    Frame frame;
    if (line != "??") frame.function = line;
    read_place(place, frame);
    here->push_back(std::move(frame));
  }
}

}  // namespace

Result<Frames> find_frames(const Profile& profile, os::ProcessRunner& runner) {
  std::map<unsigned, std::set<std::uint64_t>> wanted;
  for (const Sample& sample : profile.samples)
    for (const Address& address : sample.stack)
      if (!is_systems(profile.modules[address.module])) wanted[address.module].insert(address.offset);
  Frames frames;
  for (const auto& [module, offsets] : wanted) {
    os::Process question;
    question.arguments = {"addr2line", "-a", "-f", "-i", "-e", profile.modules[module]};
    for (const std::uint64_t offset : offsets) question.input += fmt::format("{:#x}\n", offset);
    question.timeout = std::chrono::minutes(5);
    question.output_bytes = std::size_t{256} << 20;
    const auto answer = runner.run(question);
    if (!answer)
      return coded_failure(DiagnosticCode::program_missing, "addr2line cannot be started", "",
                           "install binutils; it says which functions the time was spent in");
    if (answer->ok()) read_answer(answer->out, module, frames);
  }
  return frames;
}

std::string readable(const std::string& function) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(function.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : function;
}

}  // namespace hone::suggest

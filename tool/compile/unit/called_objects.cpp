#include "tool/compile/unit/called_objects.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>
#include <utility>

#include "tool/command/compile_flags.h"
#include "tool/compile/toolchain/diagnostics.h"
#include "tool/os/files/files.h"
#include "tool/os/files/scratch_file.h"
#include "tool/os/process/environment.h"

namespace hone::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_object = 256u << 20;

// What nobody uses the linker shall leave out, with what that would need.
const std::vector<std::string> apart = {"-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"};

// Compiles the unit, except for the words of where its text lies and where its object goes.
os::Process compile_of(const CalledUnit& unit, const CompileFlags& flags, const std::vector<std::string>& more) {
  os::Process process;
  process.directory = unit.directory;
  process.environment = os::environment_without_secrets();
  process.environment->insert_or_assign("LC_ALL", std::string("C"));
  process.arguments = {flags.compiler};
  for (const auto* words : {&flags.freeze, &more, &apart})
    process.arguments.insert(process.arguments.end(), words->begin(), words->end());
  // The text stands elsewhere than its source: what that found beside itself is looked for there.
  for (const std::string& word :
       {std::string("-iquote"), fs::path(unit.file).parent_path().string(), std::string("-w"), std::string("-fPIC"),
        std::string("-c"), std::string("-x"), std::string(language_word(flags.language))})
    process.arguments.push_back(word);
  return process;
}

Result<std::string> compile_text(os::ProcessRunner& runner, os::Process process, const std::string& content,
                                 const fs::path& folder, const std::string& source) {
  const std::string text = folder / "called", object = folder / "called.o";
  HONE_CHECK(os::write_scratch_file(text, content));
  process.arguments.insert(process.arguments.end(), {text, "-o", object});
  HONE_TRY(const os::Exit exit, runner.run(process));
  if (exit.canceled) return failure("the compile was stopped");
  if (!exit.ok())
    return failure("what the kernel calls there does not compile by itself: " + read_diagnostics(exit.err).reason,
                   source);
  return os::read_file(object, largest_object);
}

// In all the ways that are wanted.
Result<CalledObjects> compile_unit(os::ProcessRunner& runner, const CalledUnit& unit, const CalledFlags& flags,
                                   std::stop_token stop) {
  HONE_TRY(const os::TemporaryFolder folder, os::TemporaryFolder::create("hone-called"));
  CalledObjects objects;
  const auto own = split_flags({unit.directory, unit.file, "", unit.arguments});
  if (!own) return failure("its compile command does not compile one source", unit.file);
  const bool same_runtimes = (own->compiler.find("clang") != std::string::npos) == flags.clang;
  const std::string* content = &unit.text;
  const auto add = [&](std::vector<std::string>& to, const std::vector<std::string>& more) -> Result<void> {
    os::Process process = compile_of(unit, *own, same_runtimes ? more : std::vector<std::string>());
    process.stop = stop;
    HONE_TRY(std::string object, compile_text(runner, std::move(process), *content, folder.path(), unit.file));
    to.push_back(std::move(object));
    return {};
  };
  if (!add(objects.plain, {})) {
    content = &unit.whole;
    HONE_CHECK(add(objects.plain, {}));
  }
  if (!flags.sanitized.empty()) HONE_CHECK(add(objects.sanitized, flags.sanitized));
  if (!flags.race_checked.empty()) HONE_CHECK(add(objects.race_checked, flags.race_checked));
  return objects;
}

}  // namespace

Result<std::shared_ptr<const CalledObjects>> compile_called(os::ProcessRunner& runner,
                                                            const std::vector<CalledUnit>& units,
                                                            const CalledFlags& flags, std::stop_token stop) {
  if (units.empty()) return std::shared_ptr<const CalledObjects>();
  std::vector<Result<CalledObjects>> each(units.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < units.size();) each[i] = compile_unit(runner, units[i], flags, stop);
  };
  {
    std::vector<std::jthread> beside;
    for (unsigned i = 1; i < std::min<std::size_t>(units.size(), std::max(1u, std::thread::hardware_concurrency()));
         ++i)
      beside.emplace_back(work);
    work();
  }
  auto objects = std::make_shared<CalledObjects>();
  for (Result<CalledObjects>& one : each) {
    if (!one) return tl::unexpected(one.error());
    for (const auto kind : {&CalledObjects::plain, &CalledObjects::sanitized, &CalledObjects::race_checked})
      for (std::string& object : (*one).*kind) ((*objects).*kind).push_back(std::move(object));
  }
  return std::shared_ptr<const CalledObjects>(std::move(objects));
}

}  // namespace hone::compile

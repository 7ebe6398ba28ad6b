#include "tool/compile/unit/called_objects.h"

#include <filesystem>

#include "tool/command/compile_flags.h"
#include "tool/compile/toolchain/diagnostics.h"
#include "tool/os/files/files.h"
#include "tool/os/process/environment.h"

namespace hone::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_object = 256u << 20;

Result<std::string> compile_one(os::ProcessRunner& runner, const CalledUnit& unit, const CompileFlags& flags,
                                const std::vector<std::string>& more, const fs::path& folder) {
  const std::string text = folder / "called", object = folder / "called.o";
  HONE_CHECK(os::write_file_atomically(text, unit.text));
  os::Process process;
  process.directory = unit.directory;
  process.environment = os::environment_without_secrets();
  process.environment->insert_or_assign("LC_ALL", std::string("C"));
  process.arguments = {flags.compiler};
  const auto append = [&](const std::vector<std::string>& words) {
    process.arguments.insert(process.arguments.end(), words.begin(), words.end());
  };
  append(flags.freeze);
  append(more);
  // The text stands elsewhere than its source: what that found beside itself is looked for there.
  append({"-iquote", fs::path(unit.file).parent_path().string(), "-w", "-fPIC", "-c", "-x",
          language_word(flags.language), text, "-o", object});
  HONE_TRY(const os::Exit exit, runner.run(process));
  if (!exit.ok())
    return failure("what the kernel calls there does not compile by itself: " + read_diagnostics(exit.err).reason,
                   unit.file);
  return os::read_file(object, largest_object);
}

}  // namespace

Result<std::shared_ptr<const CalledObjects>> compile_called(os::ProcessRunner& runner,
                                                            const std::vector<CalledUnit>& units,
                                                            const CalledFlags& flags) {
  if (units.empty()) return std::shared_ptr<const CalledObjects>();
  HONE_TRY(const os::TemporaryFolder folder, os::TemporaryFolder::create("hone-called"));
  auto objects = std::make_shared<CalledObjects>();
  for (const CalledUnit& unit : units) {
    const auto own = split_flags({unit.directory, unit.file, "", unit.arguments});
    if (!own) return failure("its compile command does not compile one source", unit.file);
    const bool same_runtimes = (own->compiler.find("clang") != std::string::npos) == flags.clang;
    const auto add = [&](std::vector<std::string>& to, const std::vector<std::string>& more) -> Result<void> {
      HONE_TRY(std::string object,
               compile_one(runner, unit, *own, same_runtimes ? more : std::vector<std::string>(), folder.path()));
      to.push_back(std::move(object));
      return {};
    };
    HONE_CHECK(add(objects->plain, {}));
    if (!flags.sanitized.empty()) HONE_CHECK(add(objects->sanitized, flags.sanitized));
    if (!flags.race_checked.empty()) HONE_CHECK(add(objects->race_checked, flags.race_checked));
  }
  return std::shared_ptr<const CalledObjects>(std::move(objects));
}

}  // namespace hone::compile

#include "tool/cli/cc_command.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "tool/apply/applier.h"
#include "tool/cli/command/command.h"
#include "tool/shared/environment_store.h"
#include "tool/tune/tuner.h"

namespace hone::cli {
namespace {

void describe(CLI::App& app, apply::ApplyRequest& request) {
  app.add_option("--settings", request.settings, "What hone_target() wrote for the target")
      ->type_name("FILE")
      ->take_last();
  app.add_option("--lock", request.lock,
                 "The lock file (default: what the settings name, else the nearest hone.lock above the source)")
      ->type_name("FILE")
      ->take_last();
  app.add_option("--mode", request.mode,
                 "off: the compiler alone; apply: what the lock file names; tune: search first for what it\n"
                 "lacks; capture: the original, which records its inputs")
      ->check(CLI::IsMember({"off", "apply", "tune", "capture"}))
      ->take_last();
  app.add_flag("--locked", request.locked, "A kernel without its locked variant is an error");
  app.add_option("--database", request.database,
                 "Keeps this compile_commands.json for builds that write none, and notes beside it what is linked")
      ->type_name("FILE")
      ->take_last();
  app.footer(
      "The exit code is the compiler's; 1 where --locked finds a kernel without its variant; 2 usage. With "
      "HONE_MODE=off\n"
      "in the environment the compiler runs alone.");
}

}  // namespace

int cc_command(int argc, char** argv) {
  CLI::App app{"Compiles with the locked variants: stands in front of a compiler and its arguments.", "hone cc"};
  apply::ApplyRequest request;
  describe(app, request);
  const int at = static_cast<int>(std::find(argv, argv + argc, std::string_view("--")) - argv);
  // The compiler's words are not ours to parse; the argument is here for the help.
  std::vector<std::string> compiler;
  app.add_option("COMPILER", compiler, "Behind --: the compiler and its arguments");
  if (const auto exit = parse(app, at, argv)) return *exit;
  if (!compiler.empty()) return complain("hone cc: unexpected '" + compiler.front() + "' in front of --", usage);
  if (at + 1 >= argc) return complain("hone cc: no compiler: expected -- COMPILER ARGS...", usage);
  request.command.assign(argv + at + 1, argv + argc);

  const auto shared = shared::environment_store_of_build();
  request.shared = shared.get();
  request.tune_first = [&shared](const project::ProjectUnit& unit, const std::filesystem::path& build) {
    return tune::tune_unit(unit, build, shared.get());
  };
  return apply::apply(request);
}

}  // namespace hone::cli

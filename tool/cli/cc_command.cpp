#include "tool/cli/cc_command.h"

#include <cstdio>
#include <string>
#include <string_view>

#include "tool/apply/applier.h"
#include "tool/shared/environment_store.h"
#include "tool/tune/tuner.h"

namespace hone::cli {
namespace {

constexpr int kUsage = 2;
constexpr const char* kSynopsis =
    "usage: hone cc [--settings FILE] [--lock FILE] [--mode off|apply|tune|capture] [--locked] [--database FILE]\n"
    "               -- COMPILER ARGS...\n"
    "  --settings FILE  what hone_target() wrote for the target\n"
    "  --lock FILE      the lock file; by default what the settings name, else the nearest hone.lock above the source\n"
    "  --mode MODE      off: the compiler alone; apply: what the lock file names; tune: search first for what it "
    "lacks\n"
    "  --locked         a kernel without its locked variant is an error\n"
    "  --database FILE  keeps this compile_commands.json for builds that write none, and notes beside it what\n"
    "                   is linked\n";

int usage_error(const std::string& complaint) {
  std::fprintf(stderr, "hone cc: %s\n%s", complaint.c_str(), kSynopsis);
  return kUsage;
}

}  // namespace

int cc_command(int argc, char** argv) {
  apply::ApplyRequest request;
  const auto shared = shared::environment_store();
  request.shared = shared.get();
  request.tune_first = [&shared](const project::ProjectUnit& unit, const std::filesystem::path& build) {
    return tune::tune_unit(unit, build, shared.get());
  };
  int at = 1;
  for (; at < argc && std::string_view(argv[at]) != "--"; ++at) {
    std::string_view word = argv[at];
    if (word == "--help" || word == "-h") return std::fputs(kSynopsis, stdout), 0;
    if (word == "--locked") {
      request.locked = true;
      continue;
    }
    if (word != "--settings" && word != "--lock" && word != "--mode" && word != "--database")
      return usage_error("unexpected '" + std::string(word) + "' in front of --");
    if (at + 1 >= argc) return usage_error(std::string(word) + " needs a value");
    std::string value = argv[++at];
    if (word == "--settings") request.settings = value;
    if (word == "--lock") request.lock = value;
    if (word == "--mode") request.mode = value;
    if (word == "--database") request.database = value;
  }
  if (!request.mode.empty() && request.mode != "off" && request.mode != "apply" && request.mode != "tune" &&
      request.mode != "capture")
    return usage_error("--mode is '" + request.mode + "'; expected off, apply, tune or capture");
  if (at + 1 >= argc) return usage_error("no compiler: expected -- COMPILER ARGS...");
  request.command.assign(argv + at + 1, argv + argc);
  return apply::apply(request);
}

}  // namespace hone::cli

#include "tool/manual/surroundings_text.h"

#include <algorithm>

namespace hone::manual {
namespace {

const std::vector<std::string> kModels = {"tune", "show", "doctor"};
const std::vector<std::string> kShared = {"cc", "tune", "cache"};

}  // namespace

const char* const kAbout =
    "Hone is an ahead-of-time kernel tuner that lives in a CMake build. Functions are annotated by\n"
    "#pragma hone kernel. hone tune searches for variants of them that are proven right and measured faster, and\n"
    "names those in a lock file; every compile through hone cc puts the locked variants in.\n"
    "\n"
    "A CMake project calls find_package(Hone) and hone_target(TARGET), and builds the target hone-tune. hone init\n"
    "shows what a project lacks for it.";

const std::vector<SurroundingText>& files_text() {
  static const std::vector<SurroundingText> rows = {
      {"hone.lock", "Which variant each kernel is compiled with. Committed."},
      {"hone/", "Beside the lock file: the variants' texts, under their digests. Committed."},
      {"hone.json", "What the project says of models, strategies and machines; may be absent.", {"tune", "cc", "show"}},
      {"hone.trust", "Beside the lock file: whose signed records the project takes.", {"cache", "cc", "tune", "lock"}},
      {"compile_commands.json", "In the build folder: how each source is compiled."},
      {"$XDG_CACHE_HOME/hone, ~/.cache/hone",
       "Your store: variants and their evidence.",
       {"tune", "cache", "cc", "show"}},
      {"$XDG_CONFIG_HOME/hone, ~/.config/hone",
       "Your settings: the key that you sign with, and which projects may name endpoints.",
       {"tune", "cache", "doctor"}},
  };
  return rows;
}

const std::vector<SurroundingText>& environment_text() {
  static const std::vector<SurroundingText> rows = {
      {"HONE_MODE", "off: compile everything as it is written, whatever a target says.", {"cc"}},
      {"HONE_MACHINE",
       "The kinds of machines that a build without hone_target() is for, several with ; between: variants that are "
       "slower there are left out.",
       {"cc", "list"}},
      {"HONE_PROPOSER", "Who writes candidates, where neither the command line nor the target says it.", kModels},
      {"HONE_MODEL, HONE_ENDPOINT, HONE_TEMPERATURE, HONE_MAX_TOKENS, HONE_TIMEOUT, HONE_CONCURRENCY",
       "Settings of a language model.", kModels},
      {"HONE_PRICE_INPUT, HONE_PRICE_OUTPUT", "The price of a million tokens.", kModels},
      {"HONE_API_KEY", "The key for a language model's endpoint. No child process gets it.", kModels},
      {"HONE_CACHE_URL", "The team's store. Without it there is none.", kShared},
      {"HONE_CACHE_TOKEN", "Sent to it as a bearer token, over https or to this machine only.", kShared},
      {"HONE_CACHE_CERT, HONE_CACHE_KEY", "Paths of a client certificate and its key, PEM.", kShared},
      {"HONE_CACHE_PUSH",
       "1: what is tuned is sent there at once; 0, the default: by hone cache push alone.",
       {"tune"}},
      {"HONE_SIGNING_KEY", "The file of the key that records are signed with.", {"cache", "tune"}},
      {"HONE_SANDBOX",
       "The level of the wall around generated code; hone doctor says what this machine has.",
       {"tune", "eval", "verify", "doctor"}},
      {"HONE_WORKER, HONE_NVRTC, HONE_PROVE",
       "Other programs than the installed ones, for development.",
       {"tune", "eval", "verify", "doctor"}},
      {"HONE_TOOL", "Another hone-tool than the installed one, for development."},
      {"NO_COLOR", "No colors on a terminal.", {"tune"}},
      {"TMPDIR", "Where temporary files go."},
  };
  return rows;
}

bool concerns(const SurroundingText& one, const std::string& command) {
  return command.empty() || one.commands.empty() || std::ranges::count(one.commands, command) > 0;
}

}  // namespace hone::manual

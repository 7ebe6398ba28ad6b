// A program that runs another through the real runner, for the test that kills it: its tree must go with it.
#include <filesystem>

#include "tool/os/process/process_runner.h"

int main(int count, char** arguments) {
  hone::os::Process process;
  process.arguments.assign(arguments + 2, arguments + count);
  if (std::string(arguments[1]) == "sandboxed") {
    process.sandbox.emplace();
    process.sandbox->readable = hone::os::system_folders();
    process.sandbox->writable = {std::filesystem::path(process.arguments.back()).parent_path()};
  }
  return hone::os::PosixProcessRunner().run(process) ? 0 : 1;
}

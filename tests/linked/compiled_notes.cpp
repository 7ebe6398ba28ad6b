#include "compiled_notes.h"

#include <gtest/gtest.h>

#include "tool/os/process/process_runner.h"

namespace hone::linked {

void NotesFolder::write(const std::string& name, const std::string& text) const {
  ASSERT_TRUE(os::write_file_atomically(path(name), text));
}

std::string NotesFolder::read(const std::string& name) const {
  return os::read_file(path(name)).value_or("");
}

std::string NotesFolder::run(const std::vector<std::string>& command, std::string* out) const {
  os::Process process;
  process.arguments = command;
  process.directory = folder_.path().string();
  os::PosixProcessRunner runner;
  const auto exit = runner.run(process);
  if (!exit) return exit.error().message();
  if (out) *out = exit->out;
  return exit->ok() ? exit->err : exit->err + exit->out + "failed";
}

bool NotesFolder::has(const std::string& program) {
  return NotesFolder().run({"which", program}).empty();
}

}  // namespace hone::linked

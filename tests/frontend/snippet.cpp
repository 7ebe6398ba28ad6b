#include "tests/frontend/snippet.h"
#include "tool/frontend/find/kernel_finder.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hone::frontend {

std::shared_ptr<std::vector<Snippet::Folder>> Snippet::free_folders() {
  static const auto folders = std::make_shared<std::vector<Folder>>();
  return folders;
}

Snippet::Folder Snippet::some_folder() {
  const auto free = free_folders();
  if (free->empty()) return std::make_unique<os::TemporaryFolder>(os::TemporaryFolder::create("hone-frontend").value());
  Folder folder = std::move(free->back());
  free->pop_back();
  return folder;
}

void Snippet::GiveBack::operator()(os::TemporaryFolder* folder) const {
  Folder owned(folder);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder->path(), error))
    std::filesystem::remove_all(entry, error);
  if (to && !error) to->push_back(std::move(owned));
}

Snippet::Snippet(std::string marked, std::vector<std::string> flags, std::string main)
    : folder_(some_folder().release()), flags_(std::move(flags)), main_(std::move(main)) {
  if (main_.ends_with(".cu")) folder_.get_deleter().to = free_folders();
  rewrite_main(std::move(marked));
}

void Snippet::rewrite_main(std::string marked) {
  text_.clear();
  marks_.clear();
  unsigned line = 1, column = 1;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const std::size_t close = marked[i] == '^' ? marked.find('^', i + 1) : std::string::npos;
    if (close != std::string::npos && close > i + 1 && marked.find_first_of(" \n", i) > close) {
      marks_[marked.substr(i + 1, close - i - 1)] = {line, column};
      i = close;
      continue;
    }
    text_.push_back(marked[i]);
    column = marked[i] == '\n' ? 1 : column + 1;
    line += marked[i] == '\n';
  }
  EXPECT_TRUE(os::write_file_atomically(folder() / main_, text_));
}

Snippet& Snippet::with_file(const std::string& name, const std::string& content) {
  EXPECT_TRUE(os::write_file_atomically(folder() / name, content));
  folder_.get_deleter().to = nullptr;
  return *this;
}

Snippet& Snippet::with_flags(std::vector<std::string> flags) {
  flags_ = std::move(flags);
  return *this;
}

CompileCommand Snippet::command() const {
  CompileCommand command;
  command.directory = folder();
  const bool cuda = main_.ends_with(".cu");
  command.file = folder() / main_;
  command.output = "main.o";
  command.arguments = {main_.ends_with(".c") ? "gcc" : "g++", "-O2"};
  if (cuda) command.arguments = {kNvcc, "-forward-unknown-to-host-compiler", "-O3"};
  command.arguments.insert(command.arguments.end(), flags_.begin(), flags_.end());
  command.arguments.insert(command.arguments.end(), {"-c", main_, "-o", "main.o"});
  if (cuda) command.arguments.insert(command.arguments.end(), {"-x", "cu"});
  return command;
}

std::pair<unsigned, unsigned> Snippet::at(const std::string& mark) const {
  const auto found = marks_.find(mark);
  EXPECT_NE(found, marks_.end()) << "no mark " << mark;
  return found == marks_.end() ? std::pair<unsigned, unsigned>{} : found->second;
}

FoundKernels Snippet::find(bool units) const {
  Options options;
  options.units = units;
  auto found = find_kernels(command(), options);
  EXPECT_TRUE(found) << (found ? "" : found.error().message());
  return found ? *std::move(found) : FoundKernels{};
}

KernelSpec Snippet::kernel(const std::string& name) const {
  FoundKernels found = find();
  for (const Diagnostic& diagnostic : found.diagnostics) ADD_FAILURE() << diagnostic.rendered;
  for (FoundKernel& kernel : found.kernels)
    if (name.empty() || kernel.spec.name == name) return std::move(kernel.spec);
  ADD_FAILURE() << "no kernel " << name;
  return {};
}

std::vector<std::string> Snippet::complaints() const {
  std::vector<std::string> texts;
  for (const Diagnostic& diagnostic : find().diagnostics)
    texts.push_back(std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + ": " +
                    diagnostic.message);
  return texts;
}

std::string Snippet::key() const {
  const FoundKernels found = find(false);
  if (found.kernels.size() != 1) {
    for (const Diagnostic& diagnostic : found.diagnostics) ADD_FAILURE() << diagnostic.rendered;
    ADD_FAILURE() << found.kernels.size() << " kernels";
    return "";
  }
  return found.kernels.front().spec.key;
}

}  // namespace hone::frontend

// Workers that stay, pretended ones (pretend_server.cpp), and what they wrote down.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/executor/staying_executor.h"
#include "tool/executor/worker_pool.h"
#include "tool/executor/worker_source.h"
#include "tool/os/files/files.h"

namespace hone::executor {

class Serving {
 public:
  // Its command, without --serve. "MARKER" in `misdeed` is the folder that makes it a single one.
  std::vector<std::string> server(const std::string& kind, int milliseconds,
                                  const std::vector<std::string>& misdeed = {}) const;

  std::vector<std::string> log() const;
  long logged(const std::string& beginning) const;  // lines
  // Waits until so many lines begin so.
  bool comes_to(long lines, const std::string& beginning) const;

  // What the pool said. Its options have a short patience, and this as their note.
  std::string notes() const;
  PoolOptions options(unsigned most_workers);

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

 private:
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-serving-test").value();
  mutable std::mutex mutex_;
  std::string notes_;
};

// Bundles that differ in their seed.
bundle::Bundle numbered(std::uint64_t number);

}  // namespace hone::executor

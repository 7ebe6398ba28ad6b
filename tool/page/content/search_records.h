// What a build folder has of the searches for a kernel: the journal of the newest, and what its model cost.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tool/page/content/project_content.h"

namespace hone::page {

class SearchRecords {
 public:
  // `build` may have none.
  explicit SearchRecords(const std::filesystem::path& build);

  // Of that seed where it is there, else the newest. nullopt: there is no journal.
  struct Found {
    ToldSearch search;
    std::optional<ModelSpending> spending;  // nullopt: no model was asked
    LeastTimes least;                       // that a model was told
  };
  std::optional<Found> of(const std::string& key, std::optional<std::uint64_t> seed,
                          const std::function<void(const std::string&)>& trouble) const;

 private:
  struct Journal {
    std::uint64_t seed = 0;
    std::filesystem::path file;
    std::filesystem::file_time_type time;
  };
  std::filesystem::path build_;
  std::multimap<std::string, Journal> journals_;  // by key
};

}  // namespace hone::page

// Several models as one client. A member whose failure would end the run is left out from then on.
//
// Thread-safe as a Client is; `done` is called on the members' threads.
#pragma once

#include <memory>
#include <vector>

#include "tool/llm/client.h"

namespace hone::llm {

struct EnsembleMember {
  std::unique_ptr<Client> client;
  double weight = 1;
};

std::unique_ptr<Client> make_ensemble(std::vector<EnsembleMember> members);

}  // namespace hone::llm

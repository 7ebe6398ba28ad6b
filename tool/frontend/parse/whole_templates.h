// While one lives, parses of this thread keep the bodies of system headers' templates, so that their instances show
// what they find by their arguments. Costs those instantiations. Not for parses that reuse a prologue.
//
// Apart from Parser::Settings, as one check alone has a use for it.
#pragma once

namespace hone::frontend {

class WholeTemplates {
 public:
  WholeTemplates();
  ~WholeTemplates();
  WholeTemplates(const WholeTemplates&) = delete;
  WholeTemplates& operator=(const WholeTemplates&) = delete;
};

}  // namespace hone::frontend

// What a member function uses of the object that it is called on, by itself and through the member functions that it
// calls on that object. Pure.
#pragma once

#include <string>
#include <vector>

namespace clang {
class CXXMethodDecl;
class FieldDecl;
}  // namespace clang

namespace hone::frontend {

struct ObjectUse {
  std::vector<const clang::FieldDecl*> members;  // data members, in the order of their first use
  // "" or how the object is used as a whole, so that any of it may matter: "hands 'this' on".
  std::string whole;
};

ObjectUse object_use(const clang::CXXMethodDecl& method);

}  // namespace hone::frontend

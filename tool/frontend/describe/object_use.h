// What a member function uses of the object that it is called on, by itself and through the member functions that it
// calls on that object. Pure.
#pragma once

#include <string>
#include <vector>

namespace clang {
class CXXMethodDecl;
class FieldDecl;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

struct ObjectUse {
  std::vector<const clang::FieldDecl*> members;  // data members, in the order of their first use
  bool whole = false;                            // more than by its members: it is copied, or handed on
  // "" or the virtual member function that it calls: what runs then is the object's own affair.
  std::string virtual_call;

  bool any() const { return !members.empty() || whole; }
};

ObjectUse object_use(const clang::CXXMethodDecl& method);

// Does it return nothing but *this, as operators do?
bool returns_its_object(const clang::FunctionDecl& function);

}  // namespace hone::frontend

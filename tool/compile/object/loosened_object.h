// An object of a user's whole file, made fit to be loaded without the rest of the program.
//
// What runs at start or exit is left out, since it would run in the judge's processes and may need anything; and what
// the file takes from others may be missing. Only the symbol table's bindings and the flags of sections change, never
// code. Pure.
#pragma once

#include <string>

namespace hone::compile {

// Returns the object as it was if it is no relocatable object of 64-bit ELF.
std::string loosened(std::string object);

}  // namespace hone::compile

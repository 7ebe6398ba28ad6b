#include "tool/frontend/arguments/element_layout.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/RecordLayout.h>

#include <optional>

#include "tool/frontend/arguments/container_type.h"

namespace hone::frontend {
namespace {

using namespace clang;

// __nv_fp8_e4m3: numbers to the user, integers to a look at their fields.
bool is_unknown_float(const CXXRecordDecl& record) {
  return record.getIdentifier() && record.getName().starts_with("__nv_") && record.getName().contains("_fp");
}

// std::complex: two numbers, however the library holds them.
bool is_complex(const RecordDecl& record) {
  return record.getIdentifier() && record.getName() == "complex" && record.isInStdNamespace();
}

class Flattener {
 public:
  Flattener(const ASTContext& context, std::vector<Field>& fields) : context_(context), fields_(fields) {}

  // "" or the reason.
  std::string add(QualType type, const std::string& name, std::size_t offset, std::size_t count = 1) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto* array = context_.getAsConstantArrayType(type))
      return add_array(array->getElementType(), name, offset, count * array->getSize().getZExtValue());
    if (const std::optional<ScalarType> number = small_float(type)) {
      fields_.push_back({name, *number, offset, count});
      return "";
    }
    if (const auto* complex = type->getAs<ComplexType>())
      return add(complex->getElementType(), name, offset, 2 * count);
    if (const auto* record = type->getAsRecordDecl()) return add_record(*record, name, offset);
    const std::optional<ScalarType> scalar = scalar_of(type);
    if (!scalar) return reason(type, name);
    fields_.push_back({name, *scalar, offset, count});
    return "";
  }

 private:
  static constexpr std::size_t kMaxFields = 4096;  // as docs/annotation.md says

  std::string add_array(QualType element, const std::string& name, std::size_t offset, std::size_t count) {
    if (!element->isRecordType()) return add(element, name, offset, count);
    const auto size = static_cast<std::size_t>(context_.getTypeSizeInChars(element).getQuantity());
    for (std::size_t i = 0; i < count; ++i) {
      if (std::string why = add(element, name + "[" + std::to_string(i) + "]", offset + i * size); !why.empty())
        return why;
      if (fields_.size() > kMaxFields) return "has more than " + std::to_string(kMaxFields) + " fields";
    }
    return "";
  }

  // A record of C++ is one of CXXRecordDecl, which knows more.
  std::string add_record(const RecordDecl& declared, const std::string& name, std::size_t offset) {
    if (!declared.getDefinition()) return "is an incomplete type";
    const RecordDecl& record = *declared.getDefinition();
    if (record.isUnion()) return "holds a union" + named(name);
    if (record.hasFlexibleArrayMember()) return "ends in an array of no size";
    if (const auto* classy = llvm::dyn_cast<CXXRecordDecl>(&record))
      if (std::string why = add_bases(*classy, name, offset); !why.empty()) return why;
    const ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
    for (const FieldDecl* field : record.fields()) {
      const std::string own = is_complex(record) ? "" : field->getNameAsString();
      const std::string inner = name.empty() ? own : own.empty() ? name : name + "." + own;
      if (field->isBitField()) return "holds a bit-field" + named(inner);
      const std::size_t at = offset + layout.getFieldOffset(field->getFieldIndex()) / 8;
      if (std::string why = add(field->getType(), inner, at); !why.empty()) return why;
    }
    return "";
  }

  // A std::pair is copied as its bytes are, though its assignment is a function of its own.
  static bool is_plain_pair(const CXXRecordDecl& record) {
    return record.isInStdNamespace() && record.getIdentifier() && record.getName() == "pair" &&
           record.hasTrivialDestructor() && record.hasTrivialCopyConstructor();
  }

  std::string add_bases(const CXXRecordDecl& record, const std::string& name, std::size_t offset) {
    if (is_unknown_float(record))
      return "holds numbers of type '" + record.getNameAsString() +
             "', which this version of Hone does not know yet (of the small ones it knows __half and __nv_bfloat16)";
    if (!(record.isTriviallyCopyable() || is_plain_pair(record)) || record.isPolymorphic() || record.getNumVBases() > 0)
      return "is not plain data (it cannot be copied as bytes)";
    const ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
    for (const CXXBaseSpecifier& base : record.bases()) {
      const auto* definition = base.getType()->getAsCXXRecordDecl();
      if (!definition) return "has a base that is not known";
      const auto at = static_cast<std::size_t>(layout.getBaseClassOffset(definition).getQuantity());
      if (std::string why = add_record(*definition, name, offset + at); !why.empty()) return why;
    }
    return "";
  }

  std::optional<ScalarType> scalar_of(QualType type) const {
    if (const auto* enumeration = type->getAs<EnumType>()) type = enumeration->getDecl()->getIntegerType();
    if (type.isNull() || !type->isArithmeticType() || type->isAnyComplexType() || type->isBitIntType())
      return std::nullopt;
    const auto size = static_cast<unsigned>(context_.getTypeSizeInChars(type).getQuantity());
    if (type->isBooleanType()) return ScalarType{ScalarKind::boolean, size};
    if (type->isFloat16Type() || type->isBFloat16Type())
      return ScalarType{ScalarKind::floating, size, type->isBFloat16Type()};
    const bool extended = size == sizeof(long double) && type->isSpecificBuiltinType(BuiltinType::LongDouble);
    if (size > 8 && !extended) return std::nullopt;
    if (type->isRealFloatingType()) return ScalarType{ScalarKind::floating, size};
    return ScalarType{type->isSignedIntegerType() ? ScalarKind::signed_integer : ScalarKind::unsigned_integer, size};
  }

  static std::string named(const std::string& name) { return name.empty() ? "" : " ('" + name + "')"; }

  static std::string reason(QualType type, const std::string& name) {
    if (type->isAnyPointerType() || type->isReferenceType()) return "holds a pointer" + named(name);
    return "holds a value of type '" + type.getAsString() + "'" + named(name);
  }

  const ASTContext& context_;
  std::vector<Field>& fields_;
};

// A class as it is: numbers where there are some, and leaves for the rest.
class ObjectWalker {
 public:
  ObjectWalker(const ASTContext& context, ObjectLayout& layout) : context_(context), layout_(layout) {}

  void add_record(const RecordDecl& record, const std::string& name, std::size_t offset) {
    const ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
    if (const auto* classy = llvm::dyn_cast<CXXRecordDecl>(&record)) {
      add_bases(*classy, name, offset);
      if (layout.hasOwnVFPtr()) layout_.tables.push_back(offset);
    }
    for (const FieldDecl* field : record.fields()) {
      const std::string own = field->getNameAsString();
      const std::string inner = name.empty() ? own : own.empty() ? name : name + "." + own;
      add(*field, inner, offset + layout.getFieldOffset(field->getFieldIndex()) / 8);
    }
  }

  void add_leaf(Leaf::Kind kind, const std::string& name, std::size_t offset, QualType type, const FieldDecl* field,
                bool numbers = false) {
    layout_.leaves.push_back({kind, name, offset, type, field, numbers});
  }

 private:
  void add_bases(const CXXRecordDecl& record, const std::string& name, std::size_t offset) {
    const ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
    for (const CXXBaseSpecifier& base : record.bases()) {
      const auto* definition = base.getType()->getAsCXXRecordDecl();
      if (!definition || base.isVirtual() || !definition->hasDefinition()) continue;
      const std::size_t fields = layout_.element.fields.size(), leaves = layout_.leaves.size();
      add_record(*definition->getDefinition(), name,
                 offset + static_cast<std::size_t>(layout.getBaseClassOffset(definition).getQuantity()));
      const Hidden hidden{record, *definition, name.empty() ? name : name + "."};
      for (std::size_t i = fields; i < layout_.element.fields.size(); ++i)
        hidden.rename(layout_.element.fields[i].name);
      for (std::size_t i = leaves; i < layout_.leaves.size(); ++i) hidden.rename(layout_.leaves[i].name);
    }
  }

  // A base class's member that the class has another one of: not what its name means there.
  struct Hidden {
    const CXXRecordDecl& record;
    const CXXRecordDecl& base;
    std::string before;
    void rename(std::string& name) const {
      const std::string own = name.substr(before.size(), name.find_first_of(".[", before.size()) - before.size());
      if (own.empty() || !record.getIdentifier()) return;
      for (const FieldDecl* field : record.fields())
        if (field->getName() == own) return void(name.insert(before.size(), base.getNameAsString() + "::"));
    }
  };

  void add(const FieldDecl& field, const std::string& name, std::size_t offset) {
    const QualType type = field.getType().getCanonicalType().getUnqualifiedType();
    if (field.isBitField()) return add_leaf(Leaf::Kind::other, name, offset, type, &field);
    if (type->isIncompleteArrayType()) return add_leaf(Leaf::Kind::array, name, offset, type, &field);
    if (type->isPointerType() && !type->isFunctionPointerType())
      return add_leaf(Leaf::Kind::pointer, name, offset, type, &field);
    const RecordDecl* record = type->getAsRecordDecl();
    if (const auto container = record ? container_type(type) : std::nullopt)
      return add_container(*container, name, offset, type, field);
    if (is_walkable(type) && !is_complex(*record)) return add_record(*record->getDefinition(), name, offset);
    auto plain = element_layout(type, context_);
    if (std::holds_alternative<std::string>(plain)) return add_leaf(Leaf::Kind::other, name, offset, type, &field);
    if (type->isConstantArrayType()) add_leaf(Leaf::Kind::array, name, offset, type, &field, true);
    for (Field& part : std::get<ElementType>(plain).fields) {
      part.name = part.name.empty() || part.name.front() == '[' ? name + part.name : name + "." + part.name;
      part.offset += offset;
      layout_.element.fields.push_back(std::move(part));
    }
    if (const auto* enumeration = type->getAs<EnumType>())
      for (const EnumConstantDecl* enumerator : enumeration->getDecl()->enumerators())
        layout_.enumerators[name].push_back(enumerator->getInitVal().getExtValue());
  }

  // std::array<int, 16> table is `int table[16]`.
  void add_container(const ContainerType& container, const std::string& name, std::size_t offset, QualType type,
                     const FieldDecl& field) {
    auto plain = container.length ? element_layout(container.element, context_) : std::string("has its data elsewhere");
    auto* element = std::get_if<ElementType>(&plain);
    add_leaf(Leaf::Kind::container, name, offset, type, &field, element != nullptr);
    if (!element) return;
    const bool single = element->fields.size() == 1 && element->fields[0].name.empty() && element->fields[0].count == 1;
    for (std::size_t i = 0; i < (single ? 1 : *container.length); ++i)
      for (const Field& part : element->fields) {
        const std::string index = single ? "" : "[" + std::to_string(i) + "]";
        const bool nested = part.name.empty() || part.name.front() == '[';
        layout_.element.fields.push_back({name + index + (nested ? "" : ".") + part.name, part.type,
                                          offset + i * element->size + part.offset,
                                          single ? *container.length : part.count});
      }
  }

  const ASTContext& context_;
  ObjectLayout& layout_;
};

ObjectLayout empty_layout(QualType type, const ASTContext& context) {
  ObjectLayout layout;
  layout.element.spelling = type.getAsString(context.getPrintingPolicy());
  layout.element.size = static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
  layout.element.alignment = static_cast<std::size_t>(context.getTypeAlignInChars(type).getQuantity());
  return layout;
}

}  // namespace

ObjectLayout own_object_layout(const CXXRecordDecl& record, const ASTContext& context) {
  ObjectLayout layout = empty_layout(context.getTypeDeclType(&record).getCanonicalType(), context);
  ObjectWalker(context, layout).add_record(*record.getDefinition(), "", 0);
  return layout;
}

ObjectLayout object_layout(QualType type, const ASTContext& context) {
  type = type.getCanonicalType().getUnqualifiedType();
  ObjectLayout layout = empty_layout(type, context);
  ObjectWalker walker(context, layout);
  const RecordDecl* record = type->getAsRecordDecl();
  if (container_type(type))
    walker.add_leaf(Leaf::Kind::container, "", 0, type, nullptr);
  else if (is_walkable(type) && !is_complex(*record))
    walker.add_record(*record->getDefinition(), "", 0);
  else if (type->isPointerType())
    walker.add_leaf(Leaf::Kind::pointer, "", 0, type, nullptr);
  else if (auto plain = element_layout(type, context); std::holds_alternative<ElementType>(plain))
    layout.element.fields = std::move(std::get<ElementType>(plain).fields);
  if (type->isConstantArrayType()) walker.add_leaf(Leaf::Kind::array, "", 0, type, nullptr);
  return layout;
}

std::optional<ScalarType> small_float(QualType type) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() || !record->getASTContext().getLangOpts().CUDA) return std::nullopt;
  const bool brain = record->getName() == "__nv_bfloat16";
  if (!brain && record->getName() != "__half") return std::nullopt;
  return ScalarType{ScalarKind::floating, 2, brain};
}

bool is_walkable(QualType type) {
  const RecordDecl* record = type->getAsRecordDecl();
  if (!record || !record->getDefinition() || record->isUnion() || small_float(type)) return false;
  const auto* classy = llvm::dyn_cast<CXXRecordDecl>(record->getDefinition());
  if (!classy) return true;
  if (is_unknown_float(*classy) || classy->isPolymorphic() || classy->getNumVBases() > 0) return false;
  const bool pair = classy->getIdentifier() && classy->getName() == "pair";
  return !classy->isInStdNamespace() || classy->isTriviallyCopyable() || pair || container_type(type);
}

std::variant<ElementType, std::string> element_layout(QualType type, const ASTContext& context) {
  if (type->isIncompleteType()) return "is an incomplete type";
  ElementType element;
  element.spelling = type.getUnqualifiedType().getAsString(context.getPrintingPolicy());
  element.size = static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
  element.alignment = static_cast<std::size_t>(context.getTypeAlignInChars(type).getQuantity());
  if (std::string why = Flattener(context, element.fields).add(type, "", 0); !why.empty()) return why;
  if (element.fields.empty()) return "holds no data";
  return element;
}

}  // namespace hone::frontend

/* Did my tuning apply? A program asks itself which annotated kernels it has, and which of them are locked variants.
 *
 * `hone cc` leaves a note in each object that it compiles. hone_for_each_linked() reads those of the program and of all
 * shared libraries that are loaded at the moment, and says one line's worth of each. Optional, for C99 and C++ on ELF
 * systems with dl_iterate_phdr() (glibc, musl, the BSDs): header alone, needs no library, allocates nothing, and costs
 * nothing before it is called. Without Hone there are no notes.
 *
 *   static int print(const hone_linked_kernel* kernel, void* unused) {
 *     printf("%s: %s\n", kernel->name, *kernel->variant ? kernel->variant : kernel->reason);
 *     return 0;
 *   }
 *   hone_for_each_linked(print, NULL);
 *
 * A kernel in a header is in every object that includes it, and may come more than once. From any thread, but not while
 * libraries are loaded (the loader's lock is held while `visit` runs).
 */
#ifndef HONE_LINKED_H
#define HONE_LINKED_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All texts stay where they are for as long as `binary` is loaded. */
typedef struct hone_linked_kernel {
  const char* name;      /* "app::blur3x3" */
  const char* file;      /* as hone.lock names it: "src/blur.cpp" */
  const char* key;       /* the request key, 64 hex digits */
  const char* variant;   /* the locked variant's digest, 64 hex digits; "": the original */
  const char* reason;    /* why the original, in a word: "untuned", "stale", "kept", ... (docs/cli.md); "": a variant */
  const char* built_for; /* the GPUs that the variant runs on: "sm_9x"; "": whatever the kernel runs on */
  const char* binary;    /* the library's path; "": the program itself */
} hone_linked_kernel;

/* Not 0: enough. */
typedef int (*hone_linked_visitor)(const hone_linked_kernel* kernel, void* data);

#if defined(__GNUC__) || defined(__clang__)
#define HONE_LINKED_UNUSED_ __attribute__((unused))
#else
#define HONE_LINKED_UNUSED_
#endif

#ifdef __cplusplus
extern "C" {
#endif
struct dl_phdr_info;
/* <link.h> has it, in C for _GNU_SOURCE alone. */
extern int dl_iterate_phdr(int (*visit)(struct dl_phdr_info* info, size_t size, void* data), void* data);
#ifdef __cplusplus
}
#endif

#if UINTPTR_MAX > 0xffffffffu
typedef Elf64_Phdr hone_segment_;
#else
typedef Elf32_Phdr hone_segment_;
#endif

/* How every dl_phdr_info begins. */
typedef struct hone_loaded_ {
  uintptr_t address;
  const char* name;
  const hone_segment_* segments;
  uint16_t count;
} hone_loaded_;

typedef struct hone_asking_ {
  hone_linked_visitor visit;
  void* data;
} hone_asking_;

/* One field; NULL where it does not end. */
static inline HONE_LINKED_UNUSED_ const char* hone_next_text_(const char** at, const char* end) {
  const char* const text = *at;
  const char* const zero = (const char*)memchr(text, 0, (size_t)(end - text));
  if (!zero) return NULL;
  *at = zero + 1;
  return text;
}

static inline HONE_LINKED_UNUSED_ int hone_visit_note_(const char* at, const char* end, const char* binary,
                                                       const hone_asking_* asking) {
  hone_linked_kernel kernel;
  if (!(kernel.name = hone_next_text_(&at, end)) || !(kernel.file = hone_next_text_(&at, end)) ||
      !(kernel.key = hone_next_text_(&at, end)) || !(kernel.variant = hone_next_text_(&at, end)) ||
      !(kernel.reason = hone_next_text_(&at, end)) || !(kernel.built_for = hone_next_text_(&at, end)))
    return 0;
  kernel.binary = binary;
  return asking->visit(&kernel, asking->data);
}

static inline HONE_LINKED_UNUSED_ int hone_visit_segment_(const char* at, size_t size, size_t alignment,
                                                          const char* binary, const hone_asking_* asking) {
  while (size >= 12) {
    uint32_t head[3]; /* sizes of owner and description, type */
    memcpy(head, at, sizeof head);
    const size_t description = (12 + (size_t)head[0] + alignment - 1) / alignment * alignment;
    const size_t whole = (description + head[1] + alignment - 1) / alignment * alignment;
    if (description > size || head[1] > size - description) return 0;
    if (head[0] == 5 && head[2] == 1 && memcmp(at + 12, "Hone", 5) == 0) {
      const int answer = hone_visit_note_(at + description, at + description + head[1], binary, asking);
      if (answer) return answer;
    }
    if (whole >= size) return 0;
    at += whole;
    size -= whole;
  }
  return 0;
}

static inline HONE_LINKED_UNUSED_ int hone_visit_loaded_(struct dl_phdr_info* info, size_t size, void* data) {
  hone_loaded_ loaded;
  uint16_t i;
  if (size < sizeof loaded) return 0;
  memcpy(&loaded, info, sizeof loaded);
  for (i = 0; i < loaded.count; ++i) {
    const hone_segment_* const segment = loaded.segments + i;
    if (segment->p_type != PT_NOTE) continue;
    const int answer = hone_visit_segment_((const char*)(loaded.address + segment->p_vaddr), segment->p_memsz,
                                           segment->p_align == 8 ? 8 : 4, loaded.name ? loaded.name : "",
                                           (const hone_asking_*)data);
    if (answer) return answer;
  }
  return 0;
}

/* What `visit` ended it with; 0: it saw all there are. */
static inline HONE_LINKED_UNUSED_ int hone_for_each_linked(hone_linked_visitor visit, void* data) {
  hone_asking_ asking;
  asking.visit = visit;
  asking.data = data;
  return dl_iterate_phdr(hone_visit_loaded_, &asking);
}

#endif

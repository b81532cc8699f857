/* Mutations that know where records begin: they repeat, drop, swap and move the lines, sections,
 * fields, values or blocks of an input, which changes of single bytes hardly ever do. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_MOST_RECORDS 1024u

typedef struct fuzz_pieces {
  const uint8_t *bytes;
  size_t size, n;
  size_t start[FUZZ_MOST_RECORDS + 1]; /* record i: start[i] .. start[i + 1] - 1 */
} fuzz_pieces;

/* Does a record begin at `at` (which is not 0)? */
typedef bool fuzz_split(const uint8_t *bytes, size_t at);

static bool fuzz_at_line(const uint8_t *bytes, size_t at) {
  return bytes[at - 1] == '\n';
}

/* Sections begin with a line that is not indented: of MPS, LP, ARFF. */
static bool fuzz_at_section(const uint8_t *bytes, size_t at) {
  return bytes[at - 1] == '\n' && (bytes[at] == '@' || (bytes[at] | 32) >= 'a');
}

static bool fuzz_at_field(const uint8_t *bytes, size_t at) {
  return memchr(" ,\t\n:;=", bytes[at - 1], 8) && !memchr(" ,\t\n:;=", bytes[at], 8);
}

static bool fuzz_at_value(const uint8_t *bytes, size_t at) {
  return memchr("[{,}]", bytes[at - 1], 5) != NULL;
}

static bool fuzz_at_word(const uint8_t *bytes, size_t at) {
  (void)bytes;
  return at % 8 == 0;
}

static bool fuzz_at_block(const uint8_t *bytes, size_t at) {
  (void)bytes;
  return at % 64 == 0;
}

static bool fuzz_at_page(const uint8_t *bytes, size_t at) {
  (void)bytes;
  return at % 4096 == 0;
}

/* The parts of an input of several files. */
static bool fuzz_at_file(const uint8_t *bytes, size_t at) {
  return at > 5 && !memcmp(bytes + at - 5, "%%%%\n", 5);
}

/* Which records the inputs of a target have. */
static fuzz_split *const *fuzz_splits_of(const char *target, size_t *n) {
  static fuzz_split *const texts[] = {fuzz_at_section, fuzz_at_line, fuzz_at_field};
  static fuzz_split *const json[] = {fuzz_at_value, fuzz_at_line, fuzz_at_field};
  static fuzz_split *const words[] = {fuzz_at_word, fuzz_at_block, fuzz_at_page};
  static fuzz_split *const files[] = {fuzz_at_file, fuzz_at_line, fuzz_at_field};
  static const char *const of_files[] = {"plink", "filters", "covariates", "streams", "shards"};
  const bool is_json = !strcmp(target, "rule") || !strcmp(target, "pool");
  const bool is_binary =
      !strcmp(target, "irb") || !strcmp(target, "checkpoint") || !strcmp(target, "bcf");
  *n = 3;
  for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
    if (!strcmp(target, of_files[i])) return files;
  return is_json ? json : is_binary ? words : texts;
}

static void fuzz_cut(fuzz_pieces *p, fuzz_split *split) {
  p->n = 0;
  for (size_t at = 0; at < p->size && p->n < FUZZ_MOST_RECORDS; at++)
    if (!at || split(p->bytes, at)) p->start[p->n++] = at;
  p->start[p->n] = p->size;
}

/* A random number below n, by Knuth's MMIX. */
static size_t fuzz_draw(uint64_t *state, size_t n) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return n ? (size_t)((*state >> 33) % n) : 0;
}

/* In JSON a value that opens brackets goes on up to where they close. */
static size_t fuzz_balanced(const fuzz_pieces *p, size_t first) {
  size_t depth = 0, at = p->start[first];
  for (; at < p->size; at++) {
    if (p->bytes[at] == '[' || p->bytes[at] == '{') depth++;
    if ((p->bytes[at] == ']' || p->bytes[at] == '}') && (!depth || !--depth)) break;
  }
  size_t last = first + 1;
  while (last < p->n && p->start[last] <= at) last++;
  return last;
}

/* Some records in a row, [first, last). */
static void fuzz_choose(const fuzz_pieces *p, uint64_t *state, size_t *first, size_t *last) {
  *first = fuzz_draw(state, p->n);
  *last = *first + 1;
  if (fuzz_draw(state, 3) == 0) *last = fuzz_balanced(p, *first);
  if (fuzz_draw(state, 4) == 0) *last = *first + 1 + fuzz_draw(state, p->n - *first);
}

typedef struct fuzz_output {
  uint8_t *bytes;
  size_t size, most;
} fuzz_output;

static void fuzz_put(fuzz_output *out, const fuzz_pieces *p, size_t first, size_t last) {
  const size_t n = p->start[last] - p->start[first];
  const size_t room = out->most - out->size, taken = n < room ? n : room;
  memcpy(out->bytes + out->size, p->bytes + p->start[first], taken);
  out->size += taken;
}

/* What stands in [first, last) and [second, end) is kept, dropped, repeated or swapped. */
static void fuzz_rearrange(fuzz_output *out, const fuzz_pieces *p, uint64_t *state) {
  size_t first, last, second, end;
  fuzz_choose(p, state, &first, &last);
  switch (fuzz_draw(state, 5)) {
  case 0: /* drop */
    fuzz_put(out, p, 0, first);
    fuzz_put(out, p, last, p->n);
    return;
  case 1: /* repeat, one to eight times */
    fuzz_put(out, p, 0, first);
    for (size_t i = fuzz_draw(state, 8) + 2; i-- > 0;) fuzz_put(out, p, first, last);
    fuzz_put(out, p, last, p->n);
    return;
  case 2: /* repeat somewhere else, or move there */
    second = fuzz_draw(state, p->n + 1);
    fuzz_put(out, p, 0, second);
    fuzz_put(out, p, first, last);
    fuzz_put(out, p, second, p->n);
    return;
  case 3: /* end early */
    fuzz_put(out, p, 0, first);
    return;
  default: /* swap with records behind it */
    second = last + fuzz_draw(state, p->n - last + 1);
    end = second + fuzz_draw(state, p->n - second + 1);
    fuzz_put(out, p, 0, first);
    fuzz_put(out, p, second, end);
    fuzz_put(out, p, last, second);
    fuzz_put(out, p, first, last);
    fuzz_put(out, p, end, p->n);
  }
}

/* Changes a few bytes, as a fuzzer that sees nothing would; the new size. */
static size_t fuzz_mutate_bytes(uint8_t *bytes, size_t size, size_t most, uint64_t *state) {
  static const uint8_t odd[] = "\0\n\r\t \",;|:#!01289-+.eE{}[]\\u/nx\x7f\x80\xc3\xef\xff";
  for (size_t n = 1 + fuzz_draw(state, 4); n > 0; n--) {
    const size_t at = fuzz_draw(state, size + 1);
    const uint8_t byte = fuzz_draw(state, 2) ? odd[fuzz_draw(state, sizeof odd - 1)]
                                             : (uint8_t)fuzz_draw(state, 256);
    const size_t way = fuzz_draw(state, 4);
    if (way == 0 && size < most) { /* put in */
      memmove(bytes + at + 1, bytes + at, size++ - at);
      bytes[at] = byte;
    } else if (way == 1 && at < size) { /* take out */
      memmove(bytes + at, bytes + at + 1, --size - at);
    } else if (way == 2 && at < size) {
      bytes[at] ^= (uint8_t)(1u << fuzz_draw(state, 8));
    } else if (at < size) {
      bytes[at] = byte;
    }
  }
  return size;
}

/* The new size of what is in `bytes`, where there is room for `most`. */
static size_t fuzz_mutate(const char *target, uint8_t *bytes, size_t size, size_t most,
                          unsigned seed) {
  static fuzz_pieces pieces;
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  size_t n;
  fuzz_split *const *splits = fuzz_splits_of(target, &n);
  uint8_t *copy = malloc(size + 1);
  if (!copy || !size) {
    free(copy);
    return size;
  }
  memcpy(copy, bytes, size);
  pieces.bytes = copy;
  pieces.size = size;
  fuzz_cut(&pieces, splits[fuzz_draw(&state, n)]);
  fuzz_output out = {bytes, 0, most};
  fuzz_rearrange(&out, &pieces, &state);
  free(copy);
  return out.size;
}

#endif

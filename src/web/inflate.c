/* Unpacks members of gzip (RFC 1951, RFC 1952) with the calls of zlib that base/compressed.c makes.
 *
 * The input may end anywhere: the member is read in steps, each of which needs at most 48 bits. A
 * step whose bits are not all there changes nothing but the bits that wait, and is made again when
 * there are more. Bytes are taken only when bits are lacking, so that none of what follows the
 * member is taken. Codes are looked up by their first FAST bits, the few longer ones bit by bit. */
#include "web/zlib/zlib.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW    32768u
#define FAST      10
#define LONGEST   15
#define N_LITERAL 288
#define N_LENGTHS 320 /* of all codes of a block */

typedef struct code {
  uint16_t fast[1 << FAST]; /* symbol << 4 | length, 0: longer or none */
  uint16_t symbols[N_LITERAL], count[LONGEST + 1];
} code;

typedef enum step {
  HEADER,
  SKIP_EXTRA,
  SKIP_NAME,
  SKIP_COMMENT,
  SKIP_CHECK,
  BLOCK,
  STORED,
  COUNTS,
  CODE_LENGTHS,
  LENGTHS,
  SYMBOL,
  COPY,
  TRAILER,
  LENGTH,
  END
} step;

struct inflater_state {
  step step;
  bool is_last;
  unsigned flags;    /* of the header of the member */
  unsigned at, left; /* bytes of the header, lengths read; bytes to copy */
  unsigned distance; /* of the copy */
  unsigned n_literal, n_distance, n_code;
  uint64_t hold;   /* bits that wait, */
  unsigned n_hold; /* and how many */
  uint32_t crc;    /* of what was made, */
  uint64_t total;  /* and its bytes */
  uint8_t lengths[N_LENGTHS];
  code literal, distances;
  unsigned filled; /* where the window goes on */
  uint8_t window[WINDOW];
  uint32_t crc_table[256];
};
typedef struct inflater_state inflater_state;

enum { AGAIN = 100, MORE_INPUT, MORE_ROOM }; /* beside the codes of zlib */

/* ---- bits ---- */

static bool need(z_stream *z, unsigned n) {
  inflater_state *s = z->state;
  while (s->n_hold < n) {
    if (!z->avail_in) return false;
    s->hold |= (uint64_t)*z->next_in++ << s->n_hold;
    s->n_hold += 8;
    z->avail_in--;
  }
  return true;
}

static unsigned bits_at(const inflater_state *s, unsigned from, unsigned n) {
  return (unsigned)(s->hold >> from) & ((1u << n) - 1);
}

static void drop(inflater_state *s, unsigned n) {
  s->hold >>= n;
  s->n_hold -= n;
}

/* ---- codes ---- */

/* The code of these lengths; false: more words than there can be, or fewer, but for a single one.
 */
static bool make_code(code *c, const uint8_t *lengths, unsigned n) {
  unsigned start[LONGEST + 2] = {0}, used = 0;
  int left = 1;
  memset(c, 0, sizeof *c);
  for (unsigned i = 0; i < n; i++) c->count[lengths[i]]++;
  used = n - c->count[0];
  c->count[0] = 0;
  for (unsigned l = 1; l <= LONGEST; l++) {
    left = 2 * left - c->count[l];
    if (left < 0) return false;
    start[l + 1] = start[l] + c->count[l];
  }
  if (left > 0 && (used > 1 || (used == 1 && c->count[1] != 1))) return false;
  unsigned next[LONGEST + 1], word = 0;
  for (unsigned l = 1; l <= LONGEST; l++) {
    next[l] = word;
    word = (word + c->count[l]) << 1;
  }
  for (unsigned i = 0; i < n; i++) {
    const unsigned l = lengths[i];
    if (!l) continue;
    c->symbols[start[l]++] = (uint16_t)i;
    unsigned mirrored = 0;
    for (unsigned b = 0, w = next[l]++; b < l; b++, w >>= 1) mirrored = mirrored << 1 | (w & 1);
    for (; l <= FAST && mirrored < 1u << FAST; mirrored += 1u << l)
      c->fast[mirrored] = (uint16_t)(i << 4 | l);
  }
  return true;
}

/* The symbol whose word begins at bit `from` of what waits, and the end of the word; MORE_INPUT or
 * Z_DATA_ERROR: it is not all there, or is no word. */
static int decode(z_stream *z, const code *c, unsigned *from, unsigned *symbol) {
  inflater_state *s = z->state;
  unsigned word = 0, first = 0, index = 0;
  const uint16_t found = c->fast[(s->hold >> *from) & ((1u << FAST) - 1)];
  if (found && *from + (found & 15) <= s->n_hold) {
    *symbol = found >> 4;
    *from += found & 15;
    return Z_OK;
  }
  for (unsigned l = 1; l <= LONGEST; l++) {
    if (!need(z, *from + l)) return MORE_INPUT;
    word |= bits_at(s, *from + l - 1, 1);
    if (word < first + c->count[l]) {
      *symbol = c->symbols[index + word - first];
      *from += l;
      return Z_OK;
    }
    index += c->count[l];
    first = (first + c->count[l]) << 1;
    word <<= 1;
  }
  return Z_DATA_ERROR;
}

/* ---- output ---- */

static void put(z_stream *z, uint8_t byte) {
  inflater_state *s = z->state;
  *z->next_out++ = byte;
  z->avail_out--;
  s->window[s->filled++ % WINDOW] = byte;
  s->crc = s->crc_table[(s->crc ^ byte) & 255] ^ s->crc >> 8;
  s->total++;
}

/* ---- the steps of a member ---- */

static int read_header(z_stream *z) {
  inflater_state *s = z->state;
  static const uint8_t magic[3] = {0x1f, 0x8b, 8};
  for (; s->at < 10; s->at++) {
    if (!need(z, 8)) return MORE_INPUT;
    const unsigned byte = bits_at(s, 0, 8);
    if (s->at < 3 && byte != magic[s->at]) return Z_DATA_ERROR;
    if (s->at == 3) s->flags = byte;
    drop(s, 8);
  }
  if (s->flags & 0xe0) return Z_DATA_ERROR;
  if (s->flags & 4 && !need(z, 16)) return MORE_INPUT;
  s->left = s->flags & 4 ? bits_at(s, 0, 16) : 0;
  if (s->flags & 4) drop(s, 16);
  s->step = SKIP_EXTRA;
  return AGAIN;
}

/* Fields of the header that are not used: extra bytes, name, comment, checksum. */
static int skip_field(z_stream *z) {
  inflater_state *s = z->state;
  const bool is_text = s->step == SKIP_NAME || s->step == SKIP_COMMENT;
  const unsigned flag = s->step == SKIP_NAME ? 8 : s->step == SKIP_COMMENT ? 16 : 2;
  if (s->step == SKIP_EXTRA) {
    for (; s->left; s->left--) {
      if (!need(z, 8)) return MORE_INPUT;
      drop(s, 8);
    }
  } else if (is_text && s->flags & flag) {
    for (bool is_end = false; !is_end;) {
      if (!need(z, 8)) return MORE_INPUT;
      is_end = !bits_at(s, 0, 8);
      drop(s, 8);
    }
  } else if (!is_text && s->flags & flag) {
    if (!need(z, 16)) return MORE_INPUT;
    drop(s, 16);
  }
  s->step++;
  return AGAIN;
}

static bool make_fixed(inflater_state *s) {
  memset(s->lengths, 8, 144);
  memset(s->lengths + 144, 9, 112);
  memset(s->lengths + 256, 7, 24);
  memset(s->lengths + 280, 8, 8);
  if (!make_code(&s->literal, s->lengths, N_LITERAL)) return false;
  memset(s->lengths, 5, 32);
  return make_code(&s->distances, s->lengths, 32);
}

static int begin_block(z_stream *z) {
  inflater_state *s = z->state;
  if (s->is_last) {
    drop(s, s->n_hold & 7);
    s->step = TRAILER;
    return AGAIN;
  }
  if (!need(z, 3)) return MORE_INPUT;
  const unsigned last = bits_at(s, 0, 1), kind = bits_at(s, 1, 2);
  if (kind == 3) return Z_DATA_ERROR;
  if (kind == 0) {
    const unsigned begin = 3 + ((s->n_hold - 3) & 7);
    if (!need(z, begin + 32)) return MORE_INPUT;
    s->left = bits_at(s, begin, 16);
    if (s->left != (bits_at(s, begin + 16, 16) ^ 0xffff)) return Z_DATA_ERROR;
    drop(s, begin + 32);
  } else {
    drop(s, 3);
  }
  s->is_last = last;
  s->step = kind == 0 ? STORED : kind == 1 ? SYMBOL : COUNTS;
  return kind != 1 || make_fixed(s) ? AGAIN : Z_DATA_ERROR;
}

static int copy_stored(z_stream *z) {
  inflater_state *s = z->state;
  for (; s->left; s->left--) {
    if (!z->avail_out) return MORE_ROOM;
    if (!need(z, 8)) return MORE_INPUT;
    put(z, (uint8_t)bits_at(s, 0, 8));
    drop(s, 8);
  }
  s->step = BLOCK;
  return AGAIN;
}

static int read_counts(z_stream *z) {
  inflater_state *s = z->state;
  if (!need(z, 14)) return MORE_INPUT;
  s->n_literal = bits_at(s, 0, 5) + 257;
  s->n_distance = bits_at(s, 5, 5) + 1;
  s->n_code = bits_at(s, 10, 4) + 4;
  drop(s, 14);
  if (s->n_literal > 286 || s->n_distance > 30) return Z_DATA_ERROR;
  s->at = 0;
  memset(s->lengths, 0, sizeof s->lengths);
  s->step = CODE_LENGTHS;
  return AGAIN;
}

static int read_code_lengths(z_stream *z) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  inflater_state *s = z->state;
  for (; s->at < s->n_code; s->at++) {
    if (!need(z, 3)) return MORE_INPUT;
    s->lengths[order[s->at]] = (uint8_t)bits_at(s, 0, 3);
    drop(s, 3);
  }
  s->at = 0;
  s->step = LENGTHS;
  /* The distances' place is free until their code is made. */
  return make_code(&s->distances, s->lengths, 19) ? AGAIN : Z_DATA_ERROR;
}

static int read_lengths(z_stream *z) {
  inflater_state *s = z->state;
  const unsigned n = s->n_literal + s->n_distance;
  while (s->at < n) {
    unsigned end = 0, symbol = 0, times = 1, length;
    const int found = decode(z, &s->distances, &end, &symbol);
    if (found) return found;
    const unsigned extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    if (!need(z, end + extra)) return MORE_INPUT;
    if (symbol >= 16) times = (symbol == 18 ? 11 : 3) + bits_at(s, end, extra);
    if ((symbol == 16 && !s->at) || s->at + times > n) return Z_DATA_ERROR;
    length = symbol < 16 ? symbol : symbol == 16 ? s->lengths[s->at - 1] : 0;
    memset(s->lengths + s->at, (int)length, times);
    s->at += times;
    drop(s, end + extra);
  }
  s->step = SYMBOL;
  if (!s->lengths[256]) return Z_DATA_ERROR; /* no word for the end of the block */
  return make_code(&s->literal, s->lengths, s->n_literal) &&
                 make_code(&s->distances, s->lengths + s->n_literal, s->n_distance)
             ? AGAIN
             : Z_DATA_ERROR;
}

/* A length or a distance that a symbol stands for: its least value, and the bits beside it. */
static unsigned length_of(unsigned symbol, unsigned *extra) {
  *extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
  if (symbol == 285) return 258;
  return symbol < 265 ? symbol - 254 : (((symbol - 261) % 4 + 4) << *extra) + 3;
}

static unsigned distance_of(unsigned symbol, unsigned *extra) {
  *extra = symbol < 4 ? 0 : symbol / 2 - 1;
  return symbol < 4 ? symbol + 1 : ((symbol % 2 + 2) << *extra) + 1;
}

static int read_symbols(z_stream *z) {
  inflater_state *s = z->state;
  for (;;) {
    unsigned end = 0, symbol = 0, extra;
    if (!z->avail_out) return MORE_ROOM;
    int found = decode(z, &s->literal, &end, &symbol);
    if (found) return found;
    if (symbol < 256) {
      put(z, (uint8_t)symbol);
      drop(s, end);
      continue;
    }
    if (symbol == 256) {
      drop(s, end);
      s->step = BLOCK;
      return AGAIN;
    }
    if (symbol > 285) return Z_DATA_ERROR;
    unsigned length = length_of(symbol, &extra);
    if (!need(z, end + extra)) return MORE_INPUT;
    length += bits_at(s, end, extra);
    end += extra;
    found = decode(z, &s->distances, &end, &symbol);
    if (found) return found;
    if (symbol > 29) return Z_DATA_ERROR;
    unsigned distance = distance_of(symbol, &extra);
    if (!need(z, end + extra)) return MORE_INPUT;
    distance += bits_at(s, end, extra);
    drop(s, end + extra);
    if (distance > s->total && s->total < WINDOW) return Z_DATA_ERROR;
    s->left = length;
    s->distance = distance;
    s->step = COPY;
    return AGAIN;
  }
}

static int copy_earlier(z_stream *z) {
  inflater_state *s = z->state;
  for (; s->left; s->left--) {
    if (!z->avail_out) return MORE_ROOM;
    put(z, s->window[(s->filled - s->distance) % WINDOW]);
  }
  s->step = SYMBOL;
  return AGAIN;
}

/* Checksum and length of what was made. */
static int read_trailer(z_stream *z) {
  inflater_state *s = z->state;
  const uint32_t wanted = s->step == TRAILER ? s->crc ^ 0xffffffffu : (uint32_t)s->total;
  if (!need(z, 32)) return MORE_INPUT;
  if ((uint32_t)s->hold != wanted) return Z_DATA_ERROR;
  drop(s, 32);
  s->step++;
  return AGAIN;
}

/* ---- the calls of zlib ---- */

int inflateReset(z_stream *z) {
  inflater_state *s = z->state;
  s->step = HEADER;
  s->is_last = false;
  s->at = s->left = s->n_hold = s->filled = 0;
  s->hold = 0;
  s->crc = 0xffffffffu;
  s->total = z->total_in = 0;
  return Z_OK;
}

int inflateInit2(z_stream *z, int bits) {
  (void)bits;
  z->state = calloc(1, sizeof *z->state);
  if (!z->state) return Z_MEM_ERROR;
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t rest = i;
    for (int b = 0; b < 8; b++) rest = rest & 1 ? rest >> 1 ^ 0xedb88320u : rest >> 1;
    z->state->crc_table[i] = rest;
  }
  return inflateReset(z);
}

int inflateEnd(z_stream *z) {
  free(z->state);
  z->state = NULL;
  return Z_OK;
}

int inflate(z_stream *z, int flush) {
  static int (*const steps[])(z_stream *) = {
      [HEADER] = read_header,      [SKIP_EXTRA] = skip_field, [SKIP_NAME] = skip_field,
      [SKIP_COMMENT] = skip_field, [SKIP_CHECK] = skip_field, [BLOCK] = begin_block,
      [STORED] = copy_stored,      [COUNTS] = read_counts,    [CODE_LENGTHS] = read_code_lengths,
      [LENGTHS] = read_lengths,    [SYMBOL] = read_symbols,   [COPY] = copy_earlier,
      [TRAILER] = read_trailer,    [LENGTH] = read_trailer};
  inflater_state *s = z->state;
  const uInt in = z->avail_in, out = z->avail_out;
  int found = AGAIN;
  (void)flush;
  while (found == AGAIN && s->step != END) found = steps[s->step](z);
  z->total_in += in - z->avail_in;
  if (found == AGAIN) return Z_STREAM_END;
  if (found == Z_DATA_ERROR) return Z_DATA_ERROR;
  return in != z->avail_in || out != z->avail_out ? Z_OK : Z_BUF_ERROR;
}

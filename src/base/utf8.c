#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

size_t irl_utf8_read(const char *text, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char *p = (const unsigned char *)text;
  const size_t n = *p < 0x80 ? 1 : *p >> 5 == 6 ? 2 : *p >> 4 == 14 ? 3 : *p >> 3 == 30 ? 4 : 0;
  uint32_t made = n < 2 ? *p : *p & (0x7fu >> n);
  *code = *p;
  for (size_t i = 1; i < n; i++) {
    if (p[i] >> 6 != 2) return 0;
    made = made << 6 | (p[i] & 0x3fu);
  }
  if (n > 1 && (made < least[n] || made > 0x10ffff || made >> 11 == 0x1b)) return 0;
  *code = made;
  return n;
}

bool irl_utf8_is_control(uint32_t code) {
  static const struct {
    uint32_t first, last;
  } ranges[] = {
      {0, 0x1f}, {0x7f, 0x9f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i].first && code <= ranges[i].last) return true;
  return false;
}

size_t irl_utf8_show(const char *text, char shown[IRL_SHOWN_SIZE]) {
  static const char from[] = "\n\r\t", to[] = "nrt";
  uint32_t code;
  const size_t n = irl_utf8_read(text, &code);
  const char *letter = code ? strchr(from, (int)code) : NULL;
  if (n && !irl_utf8_is_control(code)) {
    memcpy(shown, text, n);
    shown[n] = '\0';
  } else if (n == 1 && letter) {
    snprintf(shown, IRL_SHOWN_SIZE, "\\%c", to[letter - from]);
  } else if (n < 2) {
    snprintf(shown, IRL_SHOWN_SIZE, "\\x%02x", (unsigned char)*text);
  } else {
    snprintf(shown, IRL_SHOWN_SIZE, "\\u%04x", code & 0xffff);
  }
  return n ? n : 1;
}

void irl_utf8_show_all(const char *text, char *shown, size_t size) {
  char one[IRL_SHOWN_SIZE];
  size_t used = 0;
  while (*text) {
    text += irl_utf8_show(text, one);
    const size_t n = strlen(one);
    if (used + n >= size) break;
    memcpy(shown + used, one, n);
    used += n;
  }
  shown[used] = '\0';
}

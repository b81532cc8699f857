/* Characters of texts: how long they are, and how people are shown them. */
#ifndef IRL_BASE_UTF8_H
#define IRL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes the UTF-8 character at `text` has, 0 if it is none (overlong ones and surrogates
 * too); `*code` is its number, or that byte. */
size_t irl_utf8_read(const char *text, uint32_t *code);

/* Would it steer a terminal, or turn the order of what stands beside it? Line ends and tabs too. */
bool irl_utf8_is_control(uint32_t code);

/* The character at `text` as people are shown it: control characters and bytes that are no
 * character as escapes, everything else as it is. The number of bytes it took from `text`. */
#define IRL_SHOWN_SIZE 12
size_t irl_utf8_show(const char *text, char shown[IRL_SHOWN_SIZE]);

/* A whole text so, cut off after `size` - 1 bytes. */
void irl_utf8_show_all(const char *text, char *shown, size_t size);

#endif

/* A certificate as a file. */
#ifndef IRL_VERIFY_CERTIFICATE_FILE_H
#define IRL_VERIFY_CERTIFICATE_FILE_H

#include "base/c_locale.h"
#include "verify/verify.h"

struct irl_certificate {
  irl_allocator allocator;
  char *path, *bytes;
  size_t size;
  irl_scope *scope;       /* NULL: it has none that can be read, */
  irl_verify_result head; /* and this is why */
};

#endif

/* The formats of files: one row each for whoever reads, divides or writes them. */
#ifndef IRL_READ_FORMATS_H
#define IRL_READ_FORMATS_H

#include "data/source.h"

/* How data are written. */
typedef enum irl_write_kind {
  IRL_WRITE_NOT, /* the format is read only */
  IRL_WRITE_CSV,
  IRL_WRITE_TSV,
  IRL_WRITE_LIBSVM,
  IRL_WRITE_IRB
} irl_write_kind;

typedef struct irl_file_format {
  const char *extension;
  unsigned input; /* IRL_FROM_...: the options that count differ */
  irl_write_kind kind;
  bool carries_labels; /* which are the cases is in the file, and may be swapped */
  irl_status (*read)(irl_env *env, const irl_source *source, irl_table *table);
  bool may_divide; /* may its data be divided over processes? */
} irl_file_format;

/* The format that the name of a file asks for; what has no extension of its own is CSV, and is not
 * written. */
const irl_file_format *irl_file_format_find(const char *path);

#endif

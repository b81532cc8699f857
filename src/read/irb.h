/* The layout of .irb files. */
#ifndef IRL_READ_IRB_H
#define IRL_READ_IRB_H

#include "table/raw_table.h"

/* The parts of a file: the names, the labels, then its columns. */
enum { IRL_IRB_NAMES, IRL_IRB_LABELS, IRL_IRB_COLUMNS };

typedef struct irl_irb_part {
  uint64_t type, n_missing; /* of the cells */
  uint64_t n_texts, text_size, hash;
} irl_irb_part;

typedef struct irl_irb_head {
  uint64_t magic, version, has_labels, is_rest, n_samples, n_cases, n_parts;
  irl_irb_part parts[]; /* and then the hash of all this */
} irl_irb_head;

/* Bytes of a part. */
uint64_t irl_irb_size(const irl_irb_head *head, size_t part);

#endif

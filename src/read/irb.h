/* Inside .irb files: what those who read a whole file and those who read parts of it share. */
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

/* A file that is read. */
typedef struct irl_irb {
  irl_env *env;
  const irl_source *source;
  const char *bytes;          /* all of it; NULL: */
  const irl_file_parts *file; /* it is read in parts */
  uint64_t size;
  irl_irb_head *head; /* in the order of this machine */
  uint64_t hash;      /* of the head, and so of everything */
  uint64_t *at;       /* where each part begins */
  char *text;         /* the names part: */
  irl_data_labels called;
  irl_names names; /* of the columns, indexed */
  uint8_t *labels; /* 1 case */
} irl_irb;

/* Checks the head and takes names and labels; to be closed also if it fails. What is beside env,
 * source, bytes or file, and size is zero at first. */
irl_status irl_irb_open(irl_irb *irb);
void irl_irb_close(irl_irb *irb);
/* Are all columns 0/1 without missing cells? Then each has one vector of bits. */
bool irl_irb_is_bits(const irl_irb *irb);
/* Bytes of a part. */
uint64_t irl_irb_size(const irl_irb_head *head, size_t part);
/* The bytes of a part, checked; its cells in the order of this machine. */
irl_status irl_irb_load(const irl_irb *irb, size_t part, void *into);

#endif

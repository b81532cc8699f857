/* Inside the reading in blocks: its state, and the judgement of what the blocks told. */
#ifndef IRL_READ_BLOCK_PARTS_H
#define IRL_READ_BLOCK_PARTS_H

#include "base/input.h"
#include "read/blocks.h"
#include "read/typed.h"

struct irl_blocks {
  irl_env *env;
  irl_allocator allocator;
  irl_source asked, source; /* as it was given, and with what is known of the labels */
  irl_input input;
  size_t window;             /* how large it is, unless a row is longer, */
  char *text;                /* and what is in it, */
  size_t at, used, capacity; /* of which so many bytes were handed out, and are there */
  bool is_over;              /* the file ends with them */
  bool is_held;              /* no more are to be read */
  bool is_known;             /* the whole file was looked at */
  irl_position before;       /* of text[at] */
  size_t body;               /* bytes before the first row, */
  irl_position body_spot;    /* which is there */
  bool is_libsvm;
  csv_plan header; /* names, delimiter and target */
  irl_facts facts;
  size_t n_resolved; /* labels whose meaning is known, */
  bool is_case[2];   /* and what they mean */
  char *rest;        /* of one label against all others: what the others are called, */
  bool is_rest;      /* and whether they are several */
};

void irl_facts_reset(irl_facts *facts, const irl_allocator *allocator);
/* Is the file, as far as it is known, in order, and which label has the cases? */
irl_status irl_blocks_judge(irl_blocks *blocks);

#endif

/* Genotypes that stay in their file.
 *
 * Cells of many variants take as much memory as the data set that is made of them. So the table of
 * a large .bed file does not hold them: it keeps the file open, and whoever wants the cells of a
 * column reads them by an irl_cell_reader, which gives those of every other table as they are. A
 * file that changes meanwhile is refused. */
#ifndef IRL_TABLE_CELL_FILE_H
#define IRL_TABLE_CELL_FILE_H

#include "base/file.h"
#include "bits/sieve.h"
#include "table/packed.h"

typedef struct irl_cell_file {
  irl_allocator allocator;
  irl_file_parts file;
  uint64_t start; /* of the first variant in the file */
  size_t bytes;   /* of each */
  size_t n_people, n_variants;
  irl_sieve people; /* those who are samples */
  uint32_t *places; /* of each column: its variant in the file */
  /* The cells of all people from the bytes of a variant. */
  void (*decode)(const unsigned char *bytes, size_t n_bytes, size_t n_people, irl_packed *into);
} irl_cell_file;

/* How genotypes stand in a file, which it takes over unless it fails; places and people are to be
 * filled in. */
irl_status irl_cell_file_create(irl_env *env, const irl_cell_file *form, size_t n_columns,
                                irl_cell_file **store);
void irl_cell_file_free(irl_cell_file *store);
/* The samples' cells among those of all people, into vectors of zeros. */
void irl_cell_file_gather(const irl_sieve *people, const irl_packed *all, irl_packed *into);

/* Reads the cells of columns, best in ascending order. Each thread has its own. */
typedef struct irl_cell_reader {
  const irl_table *table;
  irl_allocator allocator;
  unsigned char *buffer; /* bytes of some variants, one after another: */
  size_t first, n, most; /* which they are; how many there is room for */
  irl_packed all, cells;
  uint32_t column; /* whose cells these are */
  bool has_failed;
} irl_cell_reader;

/* False: out of memory; to be ended all the same. */
bool irl_cell_reader_init(irl_cell_reader *reader, const irl_table *table,
                          const irl_allocator *allocator);
/* Those of a packed column, until the next call; NULL: they could not be read. */
const irl_packed *irl_cells_read(irl_cell_reader *reader, uint32_t column);
/* False: something could not be read. */
bool irl_cell_reader_end(irl_cell_reader *reader);
/* After all readers: fails if one of them has (`is_whole` is false), or if the file has changed. */
irl_status irl_cells_check(irl_env *env, const irl_table *table, bool is_whole);

/* A table with all cells in memory: the same one, or `copy`, which shares all the rest with it and
 * is given back by irl_table_unload. NULL: *status says why not. */
const irl_table *irl_table_load(irl_env *env, const irl_table *table, irl_table *copy,
                                irl_status *status);
void irl_table_unload(const irl_table *table, irl_table *copy);

#endif

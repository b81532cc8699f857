/* What base/compressed.c uses of zlib, for WebAssembly, where there is none: files of gzip are
 * unpacked, piece by piece, by src/web/inflate.c. Names and meanings are those of zlib. */
#ifndef IRL_WEB_ZLIB_H
#define IRL_WEB_ZLIB_H

#define Z_OK         0
#define Z_STREAM_END 1
#define Z_DATA_ERROR (-3)
#define Z_MEM_ERROR  (-4)
#define Z_BUF_ERROR  (-5)
#define Z_NO_FLUSH   0
#define z_const      const

typedef unsigned int uInt;
typedef unsigned long uLong;
typedef unsigned char Bytef;

typedef struct z_stream {
  z_const Bytef *next_in;
  uInt avail_in;
  uLong total_in; /* bytes taken of this member */
  Bytef *next_out;
  uInt avail_out;
  struct inflater_state *state;
} z_stream;

/* `bits` is 31: files of gzip. */
int inflateInit2(z_stream *z, int bits);
int inflate(z_stream *z, int flush);
int inflateReset(z_stream *z);
int inflateEnd(z_stream *z);

#endif

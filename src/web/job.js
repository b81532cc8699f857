'use strict';
/* One command line in an instance of the engine of its own, in a worker or in Node.
 *
 * job.words is the command line, without the program's name; job.files are {name, data} with a Blob or bytes, which the command
 * finds in its folder; job.outputs are names of files that it may write there. The answer has the exit code, standard output,
 * standard error and the bytes of the outputs. hooks.onProgress and hooks.onRule are called while it runs; an answer of 1 ends
 * it with the best rule so far. An instance is used once: so nothing is left of a job, memory included, and none disturbs
 * another. Files of gzip are unpacked here, by what browsers and Node have for it: the engine knows no gzip. */

const IRELAND_FOLDER = '/work';
const IRELAND_BLOBS = '/blobs';
const IRELAND_LARGEST = 2 ** 31; /* bytes of a file that is unpacked: beyond it the engine's 4 GB do not suffice */
const IRELAND_PIECE = 65536;
const IRELAND_BAD_INPUT = 3;     /* the exit code */

class IrelandBadFile extends Error {}

const irelandIsPacked = (bytes, at = 0) => bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;

/* Is this a block of bgzip: a member of gzip whose extra field, BC, says how long it is? */
const irelandIsBlock = (bytes, at) => bytes[at + 3] === 4 && bytes[at + 12] === 0x42 && bytes[at + 13] === 0x43;

/* Where the member that begins at `start` may end. Streams in browsers take one member, and do not say how much of the input that
 * was: so all places at which another may begin are tried, and the checksum decides. Zeros may follow the last one, of which up to
 * nine may be its own. `last` is behind the last byte that is not zero. */
function* irelandEnds(bytes, start, last) {
  if (irelandIsBlock(bytes, start)) {
    yield start + 1 + bytes[start + 16] + 256 * bytes[start + 17];
    return;
  }
  yield bytes.length;
  for (let at = bytes.indexOf(0x1f, start + 18); at >= 0; at = bytes.indexOf(0x1f, at + 1)) if (irelandIsPacked(bytes, at)) yield at;
  for (let zeros = 0; zeros <= 9 && last + zeros < bytes.length; zeros++) yield last + zeros;
}

/* What one member becomes, as a list of bytes, or null if these bytes are not one member. They are given piece by piece, so that
 * what becomes too large is noticed while it grows. */
async function irelandMember(bytes, room) {
  const stream = new DecompressionStream('gzip'), writer = stream.writable.getWriter(), reader = stream.readable.getReader();
  const give = async () => {
    for (let at = 0; at < bytes.length; at += IRELAND_PIECE) await writer.write(bytes.subarray(at, at + IRELAND_PIECE));
    await writer.close();
  };
  give().catch(() => {}); /* the reader hears of it as well */
  const parts = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      room -= part.value.length;
      if (room < 0) break;
    }
  } catch {
    return null;
  }
  if (room >= 0) return parts;
  reader.cancel().catch(() => {});
  throw new IrelandBadFile('the compressed file becomes larger than 2 GB, more than WebAssembly can hold: use the program instead');
}

/* The bytes of a file of gzip, unpacked, as a Blob: all its members, as bgzip makes many. */
async function irelandUnpack(bytes) {
  const all = [];
  let start = 0, last = bytes.length, size = 0;
  while (last && !bytes[last - 1]) last--;
  while (start < last) {
    let parts = null, end = 0, made = 0;
    for (end of irelandIsPacked(bytes, start) ? irelandEnds(bytes, start, last) : [])
      if ((parts = end <= bytes.length ? await irelandMember(bytes.subarray(start, end), IRELAND_LARGEST - size) : null)) break;
    if (!parts) throw new IrelandBadFile('the compressed file is damaged: it was cut off or changed, or something follows the compressed data');
    for (const part of parts) {
      all.push(part);
      made += part.length;
    }
    if (made && end >= last && irelandIsBlock(bytes, start))
      throw new IrelandBadFile('the file does not end with the empty block of bgzip: it was cut off');
    size += made;
    start = end;
  }
  return new Blob(all);
}

/* The files as the engine is to see them. Blobs stay Blobs, so that they can be read piece by piece. */
async function irelandOpen(files) {
  const opened = [];
  for (const {name, data} of files) {
    const isBytes = data instanceof Uint8Array;
    const bytesOf = async blob => new Uint8Array(await blob.arrayBuffer());
    let seen = data;
    if (irelandIsPacked(isBytes ? data : await bytesOf(data.slice(0, 3)))) {
      try {
        const blob = await irelandUnpack(isBytes ? data : await bytesOf(data));
        if (irelandIsPacked(await bytesOf(blob.slice(0, 3)))) throw new IrelandBadFile('it is compressed twice');
        seen = isBytes ? await bytesOf(blob) : blob;
      } catch (error) {
        throw error instanceof IrelandBadFile ? new IrelandBadFile(`${name}: ${error.message}`) : error;
      }
    }
    opened.push({name, data: seen});
  }
  return opened;
}

/* Bytes that come one at a time, as a device of emscripten gives them. */
function irelandCollector() {
  const blocks = [];
  let block = new Uint8Array(65536), used = 0;
  return {
    put(byte) {
      if (byte === null) return;
      if (used === block.length) {
        blocks.push(block);
        block = new Uint8Array(block.length);
        used = 0;
      }
      block[used++] = byte;
    },
    bytes() {
      const all = new Uint8Array(blocks.length * block.length + used);
      blocks.forEach((full, i) => all.set(full, i * block.length));
      all.set(block.subarray(0, used), blocks.length * block.length);
      return all;
    },
  };
}

/* A file of the user's keeps its name, so that messages show it; Blobs are read where they are, piece by piece. */
function irelandMount(FS, files) {
  FS.mkdir(IRELAND_FOLDER);
  const blobs = files.map((file, i) => ({name: 'file' + i, data: file.data})).filter(file => !(file.data instanceof Uint8Array));
  if (blobs.length) {
    FS.mkdir(IRELAND_BLOBS);
    FS.mount(FS.filesystems.WORKERFS, {blobs}, IRELAND_BLOBS);
  }
  files.forEach((file, i) => {
    const path = IRELAND_FOLDER + '/' + file.name;
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!FS.analyzePath(folder).exists) FS.mkdir(folder);
    if (file.data instanceof Uint8Array) FS.writeFile(path, file.data);
    else FS.symlink(IRELAND_BLOBS + '/file' + i, path);
  });
  FS.chdir(IRELAND_FOLDER);
}

/* The command line in the memory of the engine, then its main, which `call` calls with it. */
function irelandCall(engine, call, words) {
  const list = ['ireland', ...words].map(word => engine.allocateUTF8OnStack(word));
  const start = engine.stackAlloc(4 * (list.length + 1)) >> 2;
  list.forEach((word, i) => { engine.HEAP32[start + i] = word; });
  engine.HEAP32[start + list.length] = 0;
  return call(list.length, start << 2);
}

/* `create` is the factory that emscripten made, `module` the compiled WebAssembly. With hooks.pause, a function that answers with
 * a promise, and an engine that can wait for promises (JSPI), progress waits for it: so messages arrive while a job runs. */
async function irelandJob(create, module, job, hooks = {}) {
  const out = irelandCollector(), err = irelandCollector(), decoder = new TextDecoder();
  const canPause = Boolean(hooks.pause && WebAssembly.Suspending);
  let main = null, opened;
  try {
    opened = await irelandOpen(job.files || []);
  } catch (error) {
    if (!(error instanceof IrelandBadFile)) throw error;
    return {code: IRELAND_BAD_INPUT, out: '', err: error.message + '\n', files: {}};
  }
  const engine = await create({
    instantiateWasm(imports, done) {
      const tell = imports.env.on_progress;
      if (canPause) imports.env.on_progress = new WebAssembly.Suspending(async (...values) => tell(...values) || await hooks.pause() ? 1 : 0);
      WebAssembly.instantiate(module, imports).then(instance => {
        main = canPause ? WebAssembly.promising(instance.exports.main) : instance.exports.main;
        done(instance);
      });
      return {};
    },
    stdin: () => null,
    stdout: byte => out.put(byte),
    stderr: byte => err.put(byte),
    onProgress: (part, seconds, work, objective, bound) =>
      hooks.onProgress && hooks.onProgress({part, seconds, work, objective, bound}) ? 1 : 0,
    onIncumbent: (rule, text, objective, bound) => hooks.onRule && hooks.onRule({rule, text, objective, bound}) ? 1 : 0,
  });
  irelandMount(engine.FS, opened);
  let code;
  try {
    code = await irelandCall(engine, main, job.words);
  } catch (error) {
    code = 1;
    const isMemory = error instanceof RangeError || /memory|allocat/i.test(String(error.message));
    new TextEncoder().encode(isMemory ? 'out of memory\n' : 'internal error: ' + error.message + '\n').forEach(byte => err.put(byte));
  }
  const files = {};
  (job.outputs || []).forEach(name => {
    if (engine.FS.analyzePath(name).exists) files[name] = engine.FS.readFile(name);
  });
  return {code, out: decoder.decode(out.bytes()), err: decoder.decode(err.bytes()), files};
}

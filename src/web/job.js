'use strict';
/* One command line in an instance of the engine of its own, in a worker or in Node.
 *
 * job.words is the command line, without the program's name; job.files are {name, data} with a Blob or bytes, which the command
 * finds in its folder; job.outputs are names of files that it may write there. The answer has the exit code, standard output,
 * standard error and the bytes of the outputs. hooks.onProgress and hooks.onRule are called while it runs; an answer of 1 ends
 * it with the best rule so far. An instance is used once: so nothing is left of a job, memory included, and none disturbs
 * another. */

const IRELAND_FOLDER = '/work';
const IRELAND_BLOBS = '/blobs';

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
  let main = null;
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
  irelandMount(engine.FS, job.files || []);
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

'use strict';
/* The engine for the page: each job runs in a worker of its own, which is made of texts in the page. */

/* What was found when the page was made: version, checksum of the engine, options, examples. */
const facts = JSON.parse(document.getElementById('engine-facts').textContent);

const PATIENCE = 6000; /* milliseconds that a worker has to end by itself when it is asked to */

const engine = (() => {
  let compiled = null;

  /* The WebAssembly is in the page as base64 of what gzip made of it. */
  async function compile() {
    const text = document.getElementById('engine-wasm').textContent.trim();
    const packed = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  function ready() {
    compiled = compiled || compile();
    return compiled;
  }

  function makeWorker() {
    const text = document.getElementById('engine-worker').textContent;
    const url = URL.createObjectURL(new Blob([text], {type: 'text/javascript'}));
    const worker = new Worker(url);
    return {worker, url};
  }

  /* {answer, stop}: a promise of the answer, and what asks for its end. `hooks` as in job.js. */
  function start(job, hooks = {}) {
    let made = null, finish = null, last = null, isStopped = false, hears = false, timer = 0;
    const end = () => {
      clearTimeout(timer);
      if (made) {
        made.worker.terminate();
        URL.revokeObjectURL(made.url);
      }
    };
    const answer = new Promise((resolve, reject) => {
      finish = value => {
        end();
        resolve(value);
      };
      ready().then(module => {
        if (isStopped) return;
        made = makeWorker();
        made.worker.onmessage = ({data}) => {
          if (data.hears) hears = true;
          if (data.progress && hooks.onProgress) hooks.onProgress(data.progress);
          if (data.rule) {
            last = data.rule;
            if (hooks.onRule) hooks.onRule(data.rule);
          }
          if (data.answer) finish(Object.assign(data.answer, {isStopped}));
          if (data.failure) finish({code: 1, out: '', err: data.failure, files: {}, isStopped});
        };
        made.worker.onerror = event => {
          event.preventDefault();
          finish({code: 1, out: '', err: event.message || 'the engine could not be started', files: {}, isStopped});
        };
        made.worker.postMessage({module, job});
      }).catch(error => {
        end();
        reject(error);
      });
    });
    const stop = () => {
      if (isStopped) return;
      isStopped = true;
      if (hears) made.worker.postMessage({stop: true});
      timer = setTimeout(() => finish({code: 130, out: '', err: 'stopped', files: {}, isStopped, last}), hears ? PATIENCE : 0);
    };
    return {answer, stop};
  }

  return {ready, start, run: (job, hooks) => start(job, hooks).answer};
})();

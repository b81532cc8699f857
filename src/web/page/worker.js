'use strict';
/* The worker: one job, then the page ends it.
 *
 * A thread that computes hears no message, and memory cannot be shared in a page that was opened from disk. Where WebAssembly can
 * wait for a promise (JSPI) the engine stops for a moment at each report of progress, ten times a second, and a request to end is
 * heard then; the worker says so by `hears`. Elsewhere the page ends the worker and keeps the last rule that it was told of. */
const CAN_PAUSE = Boolean(WebAssembly.Suspending);
const channel = new MessageChannel();
let isStopped = false;

/* Lets the messages in that wait. */
const pause = () => new Promise(resolve => {
  channel.port1.onmessage = () => resolve(isStopped);
  channel.port2.postMessage(0);
});

async function work({module, job}) {
  postMessage({hears: CAN_PAUSE});
  try {
    const answer = await irelandJob(createIreland, module, job, {
      pause: CAN_PAUSE ? pause : null,
      onProgress(progress) {
        postMessage({progress});
      },
      onRule(rule) {
        postMessage({rule});
      },
    });
    postMessage({answer}, Object.values(answer.files).map(bytes => bytes.buffer));
  } catch (error) {
    postMessage({failure: String(error && error.message || error)});
  }
}

self.onmessage = ({data}) => {
  if (data.stop) isStopped = true;
  else work(data);
};

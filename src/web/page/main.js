'use strict';
/* Begins. `facts` were found when the page was made: version, checksum of the engine, options, examples. */

watchData();
makeOptions();
watchLearn();
watchWhatIf();
watchCurve();
watchChecks();
byId('version').textContent = `ireland ${facts.version}, engine ${facts.checksum} (the first 16 digits of its SHA-256), kernel ${facts.kernel}.`;
document.documentElement.dataset.ready = 'yes';
engine.ready().catch(error => complain(byId('data-problem'), `This browser cannot run the engine: ${error.message}. It needs WebAssembly with SIMD, as browsers have since 2023.`));

'use strict';
/* Puts a result into its place, and the little that a page does beside. */

/* Where the reader finds when this copy was saved: the same fit gives the same bytes. */
const savedOn = () => make('span', {className: 'saved'});

/* Something to copy, with a button. */
function copied(source, label) {
  const said = make('span', {className: 'copied hint', role: 'status'});
  const copy = () => {
    const chosen = getSelection(), whole = document.createRange();
    whole.selectNodeContents(source);
    chosen.removeAllRanges();
    chosen.addRange(whole);
    document.addEventListener('copy', event => {
      event.clipboardData.setData('text/plain', source.textContent);
      event.preventDefault();
    }, {once: true});
    said.textContent = document.execCommand('copy') ? 'Copied.' : 'Marked: copy it by the keys.';
  };
  return [source, p(make('button', {type: 'button', className: 'copy', on: {click: copy}}, label), ' ', said)];
}

/* Boxes that are wider than the screen can be scrolled by keys. */
function letScroll(place) {
  place.querySelectorAll('.wide').forEach(box => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  });
}

function showParts(place, ...parts) {
  place.replaceChildren(...nodesOf(parts));
  letScroll(place);
}

/* `result` is {fit, page}, with a curve or not, or {cv, page}. */
function showPage(place, result) {
  showParts(place, result.cv ? [cvHeader(result), cvSections(result)] : [fitHeader(result), fitSections(result)],
    make('footer', {}, `Made by ireland ${result.page.version}. The page is complete in itself and loads nothing.`));
  addEventListener('resize', () => letScroll(place));
  addEventListener('beforeprint', () => place.querySelectorAll('details').forEach(one => { one.open = true; }));
}

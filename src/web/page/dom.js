'use strict';
/* Small things that all parts of the page use, beside those of the report (src/report/page). */

const byId = id => document.getElementById(id);

function show(element, isShown = true) {
  element.hidden = !isShown;
}

/* A sentence about what went wrong, where it went wrong; '' takes it away. */
function complain(place, sentence) {
  place.replaceChildren();
  show(place, Boolean(sentence));
  if (sentence) place.append(make('p', {textContent: sentence}));
}

function say(sentence) {
  byId('said').textContent = sentence;
}

const shortNumber = number => number === null || Number.isNaN(number) ? '–' : String(+Number(number).toPrecision(6));
const seconds = time => time < 10 ? time.toFixed(1) + ' s' : time < 120 ? time.toFixed(0) + ' s' : Math.floor(time / 60) + ' min ' + Math.round(time % 60) + ' s';
const megabytes = bytes => bytes < 1e6 ? Math.max(1, Math.round(bytes / 1e3)) + ' kB' : bytes < 1e9 ? (bytes / 1e6).toFixed(1) + ' MB' : (bytes / 1e9).toFixed(1) + ' GB';

/* Parts of a report in the page, with the style of reports, which is not that of the page. */
const reportStyle = new CSSStyleSheet();
reportStyle.replaceSync(document.getElementById('report-style').textContent);

function showInside(id, ...parts) {
  const root = byId(id).shadowRoot || byId(id).attachShadow({mode: 'open'}), main = make('main');
  root.adoptedStyleSheets = [reportStyle];
  root.replaceChildren(main);
  showParts(main, ...parts);
}

/* A word as a shell reads it. */
function quote(word) {
  return /^[A-Za-z0-9_\-+=./:,@%]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}
const commandLine = words => 'ireland ' + words.map(quote).join(' ');

function download(name, content, type = 'application/octet-stream') {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = make('a', {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/* The sentence of a failed job: what the program said last. */
function reasonOf(answer) {
  const lines = answer.err.split('\n').map(line => line.trim()).filter(Boolean);
  const reason = lines.length ? lines[lines.length - 1] : 'the program ended with code ' + answer.code;
  return reason.replace(/^ireland: /, '');
}

/* Names: a path inside the job's folder that no option is taken for. */
function safeName(name) {
  const plain = name.replace(/[/\\\0]/g, '_') || 'data.csv';
  return plain.startsWith('-') ? './' + plain : plain;
}

const stemOf = name => name.replace(/^\.\//, '').replace(/\.gz$/i, '').replace(/\.[^.]*$/, '') || 'rule';

/* Rows of a text with these separators; quotes as in CSV. At most `limit` rows, and none that is cut off. */
function parseRows(text, separator, limit, isWhole) {
  const rows = [];
  let row = [], cell = '', isQuoted = false;
  for (let i = 0; i < text.length && rows.length < limit; i++) {
    const letter = text[i];
    if (isQuoted) {
      if (letter === '"' && text[i + 1] === '"') cell += text[++i];
      else if (letter === '"') isQuoted = false;
      else cell += letter;
    } else if (letter === '"' && !cell) {
      isQuoted = true;
    } else if (letter === separator) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') {
      row.push(cell.replace(/\r$/, ''));
      if (row.length > 1 || row[0]) rows.push(row);
      row = [];
      cell = '';
    } else {
      cell += letter;
    }
  }
  if (isWhole && rows.length < limit && (cell || row.length)) rows.push([...row, cell]);
  return rows;
}

/* One row as CSV. */
const csvRow = cells => cells.map(cell => /[",\n\r]|^\s|\s$/.test(cell) ? '"' + cell.replace(/"/g, '""') + '"' : cell).join(',');

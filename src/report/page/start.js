'use strict';
/* The page of --report: its result stands in the page. */
showPage(document.getElementById('page'), JSON.parse(document.getElementById('result').textContent));
document.querySelectorAll('.saved').forEach(place => {
  const when = new Date(document.lastModified), two = n => String(n).padStart(2, '0');
  if (!isNaN(when)) place.textContent = ` This copy of the page was saved on ${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}.`;
});

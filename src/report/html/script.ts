/**
 * Filters by words and by verdict, and unfolds what holds a hit. Without it, everything can be read and unfolded by hand.
 * A link into something folded unfolds it, and what is unfolded is what is printed.
 */
export const script = `
const search = document.getElementById('search');
const boxes = [...document.querySelectorAll('input[name=verdict]')];
const rows = [...document.querySelectorAll('[data-verdict]')];
const folds = [...document.querySelectorAll('main details')];
const told = document.getElementById('told');
const words = rows.map((row) => row.textContent.toLowerCase());
let before;
function filter() {
  const sought = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let shown = 0;
  rows.forEach((row, place) => {
    const fits = wanted.has(row.dataset.verdict) && sought.every((word) => words[place].includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  });
  told.textContent = shown + ' of ' + rows.length + ' shown';
  unfoldHits(sought.length > 0);
}
function unfoldHits(isSearching) {
  if (isSearching) before ??= folds.map((fold) => fold.open);
  if (before) folds.forEach((fold, place) => {
    const hit = !fold.dataset.verdict && fold.querySelector('tr[data-verdict]:not([hidden])');
    fold.open = isSearching && hit ? true : before[place];
  });
  if (!isSearching) before = undefined;
}
function unfoldTarget() {
  const target = document.getElementById(location.hash.slice(1));
  for (let each = target; each; each = each.parentElement) if (each.tagName === 'DETAILS') each.open = true;
  target?.scrollIntoView();
}
const unfold = document.getElementById('unfold');
unfold.addEventListener('click', () => {
  const opens = folds.some((fold) => !fold.open);
  for (const fold of folds) fold.open = opens;
  unfold.textContent = opens ? 'Fold all' : 'Unfold all';
});
search.addEventListener('input', filter);
for (const box of boxes) box.addEventListener('change', filter);
addEventListener('hashchange', unfoldTarget);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
  event.preventDefault();
  search.focus();
});
document.getElementById('filter').hidden = false;
filter();
if (location.hash) unfoldTarget();
`.trim();

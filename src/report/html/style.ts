/** Two palettes of the same names; every pair of text and ground is at least 4.5 to 1. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --panel: #f5f6f8; --line: #d5d9e0; --text: #1b1f27; --soft: #555e6d; --link: #0b57a4;
  --pass: #176b32; --fail: #b3151b; --warn: #8a5300; --error: #8a1a8a; --open: #0f5e75;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c; --panel: #1d2128; --line: #383f4a; --text: #e6e9ee; --soft: #a7b0be; --link: #7db7f5;
    --pass: #6fce8c; --fail: #ff8a8a; --warn: #f0b65a; --error: #e59ae5; --open: #78cde4;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main, header, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: 4px;
  padding: .4rem .6rem; margin: .25rem 0; }
.outcome { font-size: 1.15rem; font-weight: 600; border-left: .4rem solid currentColor; padding-left: .6rem; }
.soft { color: var(--soft); }
.pass, .conformant { color: var(--pass); }
.fail, .nonconformant { color: var(--fail); }
.warn, .incomplete { color: var(--warn); }
.error { color: var(--error); }
.inconclusive { color: var(--open); }
.not_exercised, .out_of_scope { color: var(--soft); }
.verdict { font-weight: 600; white-space: nowrap; }
dl.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: .75rem 0; }
dl.facts div { display: flex; gap: .4rem; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
article { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem;
  margin: .75rem 0; }
.finding { border-top: 1px solid var(--line); margin-top: .6rem; padding-top: .6rem; }
.values { display: grid; grid-template-columns: auto 1fr; gap: .1rem .75rem; margin: .25rem 0; }
.values dt { color: var(--soft); }
.values dd { margin: 0; overflow-wrap: anywhere; }
details > summary { cursor: pointer; }
summary h3 { display: inline; }
ol.exchanges { margin: .25rem 0; padding-left: 1.25rem; }
.filter { position: sticky; top: 0; background: var(--ground); border-bottom: 1px solid var(--line);
  padding: .6rem 0; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; z-index: 1; }
.filter input[type=search] { font: inherit; padding: .3rem .5rem; min-width: min(22rem, 100%); color: inherit;
  background: var(--panel); border: 1px solid var(--soft); border-radius: 4px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; }
[hidden] { display: none !important; }
footer { padding-top: 2rem; padding-bottom: 2rem; color: var(--soft); }
@media print { .filter, .skip { display: none; } }
`.trim();

/** Filters by words and by verdict. Without it, everything is shown. */
export const script = `
const search = document.getElementById('search');
const boxes = [...document.querySelectorAll('input[name=verdict]')];
const rows = [...document.querySelectorAll('[data-verdict]')];
const told = document.getElementById('told');
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    const fits = wanted.has(row.dataset.verdict) && words.every((word) => text.includes(word));
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  told.textContent = shown + ' of ' + rows.length + ' shown';
}
search.addEventListener('input', filter);
for (const box of boxes) box.addEventListener('change', filter);
document.getElementById('filter').hidden = false;
filter();
`.trim();

type Palette = Readonly<Record<string, string>>;

/** Every word on every ground is at least 4.5 to 1 (a test computes it). */
export const light: Palette = {
  ground: '#ffffff',
  panel: '#f5f6f8',
  line: '#d5d9e0',
  text: '#1b1f27',
  soft: '#555e6d',
  link: '#0b57a4',
  pass: '#176b32',
  fail: '#b3151b',
  warn: '#8a5300',
  error: '#8a1a8a',
  open: '#0f5e75',
  tint: '#fdeeee',
};
export const dark: Palette = {
  ground: '#14171c',
  panel: '#1d2128',
  line: '#383f4a',
  text: '#e6e9ee',
  soft: '#a7b0be',
  link: '#7db7f5',
  pass: '#6fce8c',
  fail: '#ff8a8a',
  warn: '#f0b65a',
  error: '#e59ae5',
  open: '#78cde4',
  tint: '#331c20',
};

const declared = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');

export const style = `
:root { color-scheme: light dark; ${declared(light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${declared(dark)} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
header, nav, main, footer, .filter { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; background: var(--ground); border: 1px solid var(--line); border-radius: 4px;
  padding: .4rem .6rem; margin: .25rem 0; }
mark { background: var(--tint); color: var(--text); outline: 1px solid var(--fail); font-weight: 600; }
.answer { margin: .1rem 0; }
.soft, .none { color: var(--soft); }
.pass, .conformant { color: var(--pass); }
.fail, .nonconformant { color: var(--fail); }
.warn, .incomplete { color: var(--warn); }
.error { color: var(--error); }
.inconclusive { color: var(--open); }
.not_exercised, .out_of_scope { color: var(--soft); }
.outcome { background: var(--panel); border: 1px solid currentColor; border-left-width: .5rem; border-radius: 6px;
  padding: .7rem 1rem; font-size: 1.1rem; print-color-adjust: exact; }
.outcome strong { display: block; font-size: 1.7rem; line-height: 1.2; }
.outcome strong::first-letter { text-transform: uppercase; }
.outcome span { color: var(--text); }
dl { margin: 1rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.tally div { display: flex; flex-wrap: wrap; gap: .25rem .5rem; margin: .35rem 0; align-items: baseline; }
.tally dt { width: 7.5rem; }
.chip { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .7rem; background: var(--panel); }
.chip b { font-size: 1.05rem; }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; font-size: .93rem; }
.facts div { display: flex; gap: .4rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
nav a { padding: .2rem 0; }
.verdict { font-weight: 600; white-space: nowrap; }
.brief { padding-left: 0; list-style: none; margin: .5rem 0 1rem; }
.brief li { margin: .2rem 0; }
article { margin: .75rem 0; }
.card { background: var(--panel); border: 1px solid var(--line); border-left: .3rem solid var(--line);
  border-radius: 6px; padding: .75rem 1rem; color: var(--text); }
.scenario { margin: .3rem 0; padding: .35rem .75rem; }
.card.fail { border-left-color: var(--fail); }
.card.warn { border-left-color: var(--warn); }
.card.error { border-left-color: var(--error); }
.card:target { outline: 2px solid var(--link); outline-offset: 2px; }
.finding { border-top: 1px solid var(--line); margin-top: .6rem; padding-top: .6rem; }
.values { display: grid; grid-template-columns: fit-content(12rem) 1fr; gap: .1rem .75rem; margin: .25rem 0; }
.again { margin-top: .4rem; }
details { margin: .25rem 0; }
summary { cursor: pointer; padding: .1rem 0; overflow-wrap: anywhere; }
summary h3 { display: inline; }
ol.exchanges { margin: .25rem 0; padding-left: 1.4rem; }
ul { margin: .25rem 0; padding-left: 1.4rem; }
li { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tfoot th, tfoot td { border-bottom: 0; font-weight: 600; }
.parts { width: auto; min-width: min(100%, 40rem); }
.parts th[scope=row] { font-weight: 400; }
.parts td.fail, .parts td.error { font-weight: 700; }
.wide { min-width: 52rem; }
.wide code { overflow-wrap: normal; }
.judged { table-layout: fixed; }
.judged th { font-weight: 400; overflow-wrap: anywhere; }
.judged thead th, .wide thead th { font-weight: 600; }
.judged th:nth-child(1) { width: 8rem; }
.judged th:nth-child(2) { width: 22rem; }
.judged th:nth-child(4) { width: 6.5rem; }
.judged th:nth-child(5) { width: 6.5rem; }
.judged td:first-child { font-weight: 600; }
tr[data-verdict=pass] > td:first-child { color: var(--pass); }
tr[data-verdict=fail] > td:first-child { color: var(--fail); }
tr[data-verdict=warn] > td:first-child { color: var(--warn); }
tr[data-verdict=error] > td:first-child { color: var(--error); }
tr[data-verdict=inconclusive] > td:first-child { color: var(--open); }
tr[data-verdict=not_exercised] > td:first-child, tr[data-verdict=out_of_scope] > td:first-child { color: var(--soft); }
.filter { position: sticky; top: 0; background: var(--ground); border-bottom: 1px solid var(--line);
  padding-top: .6rem; padding-bottom: .6rem; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; z-index: 2; }
.filter input[type=search], button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--soft);
  border-radius: 4px; padding: .25rem .6rem; }
.filter input[type=search] { width: 16rem; max-width: 100%; }
.boxes { display: flex; flex-wrap: wrap; gap: .25rem .9rem; }
.filter ~ main :is(section, article, details) { scroll-margin-top: 4rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .25rem; }
[hidden] { display: none !important; }
footer { padding-top: 2rem; padding-bottom: 2rem; color: var(--soft); }
@media (max-width: 60rem) {
  .judged, .judged tbody { display: block; }
  .judged thead { position: absolute; left: -999rem; }
  .judged tr { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
  .judged th, .judged td { padding: 0; border: 0; }
  .judged td:nth-child(3) { flex-basis: 100%; }
  .judged td:nth-child(4)::before { content: "part "; }
  .judged td:nth-child(5)::before { content: "exercised "; }
}
@media (max-width: 44rem) {
  header, nav, main, footer, .filter { padding-left: .75rem; padding-right: .75rem; }
  .filter { position: static; }
  .card { padding: .5rem .6rem; }
  .parts { font-size: .9rem; }
  .parts th, .parts td { padding: .3rem .35rem; }
  .parts thead th { white-space: normal; }
}
@media print {
  .filter, .skip, nav { display: none; }
  body { font-size: 10pt; }
  header, main, footer { max-width: none; padding: 0; }
  .scroll { overflow: visible; }
  tr, li, dl { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .wide { min-width: 0; }
}
/* Lanes: each party's time is a line that runs down its column, with what happened standing on it. */
.lanes { width: auto; min-width: min(100%, 34rem); margin: .4rem 0; font-size: .87rem; background: var(--ground); }
.lanes th, .lanes td { border: 0; padding: .2rem .35rem; }
.lanes thead th { border-bottom: 1px solid var(--line); white-space: nowrap; }
.lanes th[scope=row] { font-weight: 400; color: var(--soft); white-space: nowrap; text-align: right;
  font-variant-numeric: tabular-nums; }
.lanes td { min-width: 9rem; }
.lanes td:not([colspan]) { background: linear-gradient(var(--line), var(--line)) 1.2rem 0 / 2px 100% no-repeat; }
.mark { position: relative; border: 1px solid var(--line); border-left: 3px solid var(--soft); border-radius: 4px;
  background: var(--panel); padding: .1rem .5rem; max-width: 22rem; overflow-wrap: break-word; }
.mark > span:first-child { font-weight: 600; }
.mark .soft { font-size: .85em; }
.mark em { font-style: normal; font-weight: 600; color: var(--fail); }
.call { border-left-color: var(--link); }
.call > span:first-child { display: block; }
.call > span:first-child::before { content: "\\2192\\00a0" / "asks "; }
.call .answer::before { content: "\\2190\\00a0" / "is answered "; }
.event { border-radius: 1rem; border-left: 1px solid var(--line); }
.event > span:first-child::before { content: "\\25c6\\00a0" / "is told "; color: var(--open); }
.sight > span:first-child::before { content: "\\2713\\00a0" / ""; color: var(--pass); }
.done { color: var(--pass); }
.refused { color: var(--warn); }
.broken { color: var(--fail); font-weight: 600; }
.flagged { border-color: var(--fail); box-shadow: 0 0 0 1px var(--fail); background: var(--tint); }
.note .mark, .failed .mark { max-width: none; }
.note .mark { border-style: dashed; border-left-width: 1px; background: var(--ground); }
.pause td { color: var(--soft); text-align: center; padding: .35rem;
  background: repeating-linear-gradient(90deg, var(--line) 0 4px, #0000 4px 9px) 0 50% / 100% 1px no-repeat; }
.pause td > span { background: var(--ground); padding: 0 .6rem; }
.lanes .failed th, .lanes .failed td { color: var(--fail); }
.failed td { background: var(--tint); border: 2px solid var(--fail) !important; border-radius: 4px; }
.failed dd, .failed dt { color: var(--text); }
@media (max-width: 44rem) {
  .lanes, .lanes tbody { display: block; min-width: 0; }
  .lanes thead { position: absolute; left: -999rem; }
  .lanes tr { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: .15rem .5rem; padding: .2rem 0; }
  .lanes th[scope=row] { padding: .15rem 0; white-space: normal; }
  .lanes td { display: block; grid-column: 2; min-width: 0; max-width: none; padding: 0; background: none !important; }
  .mark { max-width: none; }
  .lanes td:empty { display: none; }
  .lanes td[data-party]::before { content: attr(data-party); display: block; color: var(--soft); font-size: .85em; }
  .pause td { text-align: left; }
}
@media print {
  .lanes { width: 100%; table-layout: fixed; font-size: 8pt; }
  .lanes th:first-child { width: 5rem; }
  .lanes thead th { white-space: normal; overflow-wrap: anywhere; }
  .lanes td { min-width: 0; }
  .mark { overflow-wrap: anywhere; }
  .mark, .failed td { print-color-adjust: exact; }
}
`.trim();

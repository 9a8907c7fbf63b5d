import { expect, it } from 'vitest';
import { Html, html } from './html.ts';

it('escapes every value, in text and in attributes, unless it is markup already', () => {
  const value = `"><b onclick='x'>&`;
  expect(html`<p title="${value}">${value}</p>`.markup).toBe(
    '<p title="&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;&amp;">&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;&amp;</p>',
  );
  expect(html`<p>${html`<i>${'<'}</i>`}${new Html('<br>')}</p>`.markup).toBe(
    '<p><i>&lt;</i><br></p>',
  );
});

it('puts the items of a list on lines of their own, and leaves out what is not there', () => {
  expect(html`${['<', html`<br>`, 1]}${undefined}${false}`.markup).toBe('&lt;\n<br>\n1');
});

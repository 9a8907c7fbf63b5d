import { render } from 'preact';
import { App } from './app.tsx';
import { readReportData } from './data.ts';

const place = document.getElementById('page');

async function start(root: HTMLElement): Promise<void> {
  try {
    render(<App data={await readReportData()} />, root);
  } catch (error) {
    render(<p class="fail">This report cannot be shown: {String(error)}</p>, root);
  }
}

if (place) await start(place);

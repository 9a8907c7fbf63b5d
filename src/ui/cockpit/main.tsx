import { render } from 'preact';
import { Cockpit } from './cockpit.tsx';
import { Feed } from './feed.ts';

const token = new URLSearchParams(location.search).get('token') ?? '';
const place = document.getElementById('page');
if (place) render(<Cockpit feed={new Feed(token)} />, place);

// The start of the page.
import { render } from 'preact';
import './styles/tokens.css';
import './styles/shared.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/lists.css';
import './styles/records.css';
import './styles/timeline.css';
import './styles/dial.css';
import './styles/sheets.css';
import './styles/drawing.css';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (root) render(<App />, root);

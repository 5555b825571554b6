// The frame of every page of the reference. Addresses are relative, so that the pages work below any path prefix.

export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What the bar above every page leads to, by the path below the server's address. */
const places = [
  { path: 'docs', name: 'Platform API' },
  { path: 'docs/control', name: 'Control API' },
  { path: 'docs/errors', name: 'Errors' },
  { path: 'docs/guides', name: 'Guides' },
  { path: '_sandbox/ui/', name: 'Dashboard' },
];

/** From a page to the server's address: `../` for each folder that the page is in. */
export const upFrom = (path) => '../'.repeat(path.split('/').length - 1) || './';

/**
 * `path` is that of the page, below the server's address, and `place` that of its entry in the bar. `beside` is what stands
 * beside the text; `scripts` and `styles` are names of assets.
 */
export function pageOf({ path, place = path, title, beside, main, scripts, styles, index }) {
  const up = upFrom(path);
  const asset = (name) => `${up}docs/assets/${name}`;
  const links = places.map(
    (each) =>
      `<a href="${up}${each.path}"${each.path === place ? ' aria-current="page"' : ''} class="tab">${each.name}</a>`,
  );
  return `<!doctype html>
<html lang="en" data-up="${up}" data-index="${asset(index)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Ringback</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${asset(name)}">`).join('\n')}
${scripts.map((name) => `<script defer src="${asset(name)}"></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="top">
<a class="brand" href="${up}docs"><span class="brand-mark" aria-hidden="true"></span>Ringback</a>
<form class="search" role="search">
<input type="search" id="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="found">
<div class="found" id="found" hidden><p class="found-state" role="status"></p><ul></ul></div>
</form>
<nav class="tabs" aria-label="Documentation">${links.join('')}</nav>
</header>
<div class="columns">
<nav class="beside" aria-label="On this page">${beside}</nav>
<main id="main" class="page" tabindex="-1">${main}</main>
</div>
</body>
</html>
`;
}

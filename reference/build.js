// Builds the pages at `/docs`: the reference of both APIs, shown by Swagger UI, the errors with an example of each, the
// guides, and the index that their search reads. `build.js` calls it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parse } from 'yaml';
import { readGuides } from './guides.js';
import { escaped, pageOf } from './page.js';

const viewer = 'node_modules/swagger-ui-dist';

/** Its licence names where to find the code; the maps of the sources are not served. */
const withoutMap = (text) => text.replace(/\n?(\/\/|\/\*)# sourceMappingURL=.*$/m, '');

/** `fromServer` imports a file of the server's source. */
export async function buildReference(root, target, fromServer) {
  const assets = join(target, 'assets');
  mkdirSync(assets, { recursive: true });
  /** Writes a file under a name that changes with its content, and returns that name. */
  const add = (name, content) => {
    const hash = createHash('sha256').update(content).digest('base64url').replace(/\W/g, '').slice(0, 8);
    const ending = extname(name);
    const hashed = `${basename(name, ending)}-${hash}${ending}`;
    writeFileSync(join(assets, hashed), content);
    return hashed;
  };
  const read = (path) => readFileSync(join(root, path), 'utf8');
  writeFileSync(join(assets, 'icon.svg'), read('dashboard/public/icon.svg'));
  const parts = await addParts(root, read, add);
  const contract = parse(read('openapi.yaml'), { merge: true });
  const document = add('platform.json', JSON.stringify(contract));
  const errors = await fromServer('src/control/docs.ts');
  const groups = readGuides(root, imagesOf(root, add));
  const codes = errors.keysOf(errors.allErrors);
  const entries = [...operationEntries(contract), ...errorEntries(errors.allErrors, codes), ...guideEntries(groups)];
  const index = add('search.json', JSON.stringify(entries));

  const write = (file, page) => {
    const path = file === 'index' ? 'docs' : `docs/${file}`;
    const scripts = [...(page.scripts ?? []), parts.search];
    const styles = [...(page.styles ?? []), parts.site];
    writeFileSync(join(target, `${file}.html`), pageOf({ path, index, ...page, scripts, styles }));
  };
  const viewed = { scripts: [parts.viewerScript, parts.api], styles: [parts.viewerStyle], beside: outlinePlace };
  const scenarios = readdirSync(join(root, 'scenarios')).map((file) => basename(file, '.yaml'));
  const sent = codes.filter((code) => errors.allErrors[code].channel === 'response');
  const platformAddress = `docs/assets/${document}`;
  write('index', { ...viewed, title: 'Platform API', main: viewerPlace(platformAddress, choices(scenarios, sent)) });
  write('control', { ...viewed, title: 'Control API', main: viewerPlace('_sandbox/openapi.json', '') });
  write('errors', {
    title: 'Errors',
    beside: `<ul>${codes.map((code) => `<li><a href="#${code}"><code>${code}</code></a></li>`).join('')}</ul>`,
    main: `<article class="prose errors">${errors.errorSections(errorExamples(contract))}</article>`,
  });
  mkdirSync(join(target, 'guides'));
  writeGuides(groups, write);
}

/** The styles and scripts that the pages share, by what they are; returns the names of their files. */
async function addParts(root, read, add) {
  const shared = ['tokens', 'shared'].map((name) => read(`dashboard/src/styles/${name}.css`));
  const own = ['site', 'prose'].map((name) => read(`reference/src/${name}.css`));
  const site = add('site.css', [...shared, ...own].join('\n'));
  // In a layer, so that our rules win over the viewer's whatever their specificity.
  const viewerRules = `@layer viewer {${withoutMap(read(`${viewer}/swagger-ui.css`))}}`;
  const viewerStyle = add('viewer.css', `${viewerRules}\n${read('reference/src/viewer.css')}`);
  const viewerScript = add('viewer.js', withoutMap(read(`${viewer}/swagger-ui-bundle.js`)));
  const [search, api] = await Promise.all(
    ['search', 'api'].map(async (name) => add(`${name}.js`, await bundled(root, `reference/src/${name}.ts`))),
  );
  return { site, viewerStyle, viewerScript, search, api };
}

/** Finds the address of an image that a guide names, and adds it once. */
function imagesOf(root, add) {
  const images = new Map();
  return (path) => {
    if (!existsSync(join(root, path))) return undefined;
    if (!images.has(path)) images.set(path, add(path, readFileSync(join(root, path))));
    return `../../docs/assets/${images.get(path)}`;
  };
}

function writeGuides(groups, write) {
  const listed = (from, current) => guideList(groups, from, current);
  write('guides', { title: 'Guides', beside: listed('guides/'), main: guidesMain(groups) });
  for (const guide of groups.flatMap(({ guides }) => guides)) {
    const main = `<article class="prose">${guide.html}</article>`;
    write(`guides/${guide.name}`, { place: 'docs/guides', title: guide.title, beside: listed('', guide), main });
  }
}

const outlinePlace = '<p class="outline-state">Loading</p><div id="outline"></div>';

const viewerPlace = (address, before) =>
  `${before}<div id="viewer" data-document="${address}"><p class="outline-state" role="status">Loading the reference</p></div>
<noscript><p>The reference needs JavaScript. The documents themselves: /openapi.yaml and /_sandbox/openapi.json.</p></noscript>`;

/** What "Execute" sends along: the control headers of the sandbox. */
function choices(scenarios, codes) {
  const options = (values) => values.map((value) => `<option value="${escaped(value)}"></option>`).join('');
  return `<form class="choices" id="choices" aria-label="What the next requests ask of the sandbox">
<label><span>Scenario</span><input name="X-Sandbox-Scenario" list="scenarios" placeholder="busy;ring=2s" autocomplete="off" spellcheck="false"></label>
<label><span>Error</span><input name="X-Sandbox-Error" list="codes" placeholder="rate_limited" autocomplete="off" spellcheck="false"></label>
<label><span>Delay</span><input name="X-Sandbox-Delay" placeholder="2s" autocomplete="off" spellcheck="false"></label>
<p>Sent with <b>Execute</b>, as <code>X-Sandbox-…</code> headers.</p>
<datalist id="scenarios">${options(scenarios)}</datalist><datalist id="codes">${options(codes)}</datalist>
</form>`;
}

function guideList(groups, from, current) {
  const entry = (guide) => {
    const sections = guide === current ? guide.sections.filter(({ level }) => level === 2) : [];
    const inner = sections.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`);
    const here = guide === current ? ' aria-current="page"' : '';
    const list = inner.length > 0 ? `<ul>${inner.join('')}</ul>` : '';
    return `<li><a href="${from}${guide.name}"${here}>${escaped(guide.title)}</a>${list}</li>`;
  };
  return groups.map(({ group, guides }) => `<h2>${escaped(group)}</h2><ul>${guides.map(entry).join('')}</ul>`).join('');
}

function guidesMain(groups) {
  const card = ({ name, title, sections }) =>
    `<li><a href="guides/${name}">${escaped(title)}</a><p>${escaped(firstSentence(sections[0]?.text ?? ''))}</p></li>`;
  const parts = groups.map(
    ({ group, guides }) => `<h2>${escaped(group)}</h2><ul class="cards">${guides.map(card).join('')}</ul>`,
  );
  return `<article class="prose"><h1>Guides</h1>${parts.join('')}</article>`;
}

const firstSentence = (text) =>
  /^.*?[.:](?=\s|$)/.exec(text.trim())?.[0].replace(/:$/, '.') ?? text.trim().slice(0, 160);

/** A script for browsers, of one file of the sources. */
async function bundled(root, input) {
  const { build } = await import('rolldown');
  const output = { format: 'iife', minify: true };
  const { output: chunks } = await build({
    cwd: root,
    input,
    platform: 'browser',
    output,
    write: false,
    logLevel: 'warn',
  });
  return chunks[0].code;
}

/** What was answered or delivered with each code: the examples of the contract, which are recorded from a sandbox. */
function errorExamples({ components, webhooks }) {
  const examples = new Map();
  for (const { value } of Object.values(components.examples)) {
    const code = value?.error?.code;
    if (code !== undefined && !examples.has(code)) examples.set(code, value);
  }
  for (const { post } of Object.values(webhooks)) {
    for (const { value } of Object.values(post.requestBody.content['application/json'].examples ?? {})) {
      if (value.failure_code && !examples.has(value.failure_code)) examples.set(value.failure_code, value);
    }
  }
  return examples;
}

const operationEntries = ({ paths, webhooks }) =>
  [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, { operationId, tags, summary, description = '' }]) => ({
        kind: 'Platform API',
        title: summary,
        detail: path.startsWith('/') ? `${method.toUpperCase()} ${path}` : path,
        href: `docs#/${encodeURIComponent(tags[0])}/${operationId}`,
        text: `${operationId} ${description}`,
      })),
  );

const errorEntries = (rows, codes) =>
  codes.map((code) => ({
    kind: 'Error',
    title: code,
    detail: rows[code].meaning,
    href: `docs/errors#${code}`,
    text: `${rows[code].message} ${rows[code].hint}`,
  }));

const guideEntries = (groups) =>
  groups.flatMap(({ guides }) =>
    guides.flatMap(({ name, title, sections }) =>
      sections.map(({ level, heading, anchor, text }) => ({
        kind: 'Guide',
        title: heading,
        detail: level === 1 ? '' : title,
        href: `docs/guides/${name}${level === 1 ? '' : `#${anchor}`}`,
        text: text.trim(),
      })),
    ),
  );

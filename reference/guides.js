// The guides of docs/ as HTML. What they say becomes text or one of the elements of Markdown; of the HTML in them, only
// pictures and line breaks are kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { escaped } from './page.js';

/** In which order they are read; any other comes after these. */
const groups = {
  'First steps': ['readme', 'demo', 'tour', 'dashboard', 'worlds-and-keys', 'time', 'settings'],
  'What happens': ['scenarios', 'webhooks', 'browser-calls', 'faults', 'errors', 'fixtures', 'evidence'],
  Tools: ['library', 'python', 'command-line', 'control-api', 'clients', 'agents', 'coverage', 'ci-and-docker'],
  'How good it is': ['fidelity', 'assumptions', 'performance', 'replicas', 'security', 'changelog'],
};

/** Documents at the top of the repository that are guides too. */
const above = { readme: 'README.md', security: 'SECURITY.md', changelog: 'CHANGELOG.md' };

const nameOf = (file) =>
  Object.keys(above).find((name) => above[name] === file) ?? /^docs\/([\w-]+)\.md$/.exec(file)?.[1];

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * Where a link of a guide leads from its page at `docs/guides/<name>`; undefined if it leads to a file of the repository,
 * which the server does not have.
 */
function targetOf(file, href) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const name = nameOf(target);
  if (name !== undefined) return `${name}${hash}`;
  if (target === 'openapi.yaml') return '../../openapi.yaml';
  return undefined;
}

const attributeOf = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

/** A picture that may have another form for dark colors; `imageOf` returns the address of an image, or undefined. */
function picture(html, imageOf) {
  const [img = ''] = html.match(/<img\b[^>]*>/) ?? [];
  const [dark] = html.match(/<source\b[^>]*prefers-color-scheme: dark[^>]*>/) ?? [];
  const source = imageOf(attributeOf(img, 'src'));
  const darkSource = dark && imageOf(attributeOf(dark, 'srcset'));
  if (source === undefined) return '';
  const other = darkSource ? `<source media="(prefers-color-scheme: dark)" srcset="${escaped(darkSource)}">` : '';
  return `<picture>${other}<img src="${escaped(source)}" alt="${attributeOf(img, 'alt')}" loading="lazy"></picture>`;
}

function rendererOf(file, imageOf) {
  const markdown = new MarkdownIt({ html: true });
  const { rules } = markdown.renderer;
  const htmlOf = (content) => {
    const text = content.replace(/<!--[\s\S]*?-->/g, '').trim();
    if (text === '') return '';
    if (/^<br ?\/?>$/.test(text)) return '<br>';
    return text.startsWith('<picture>') ? picture(text, imageOf) : escaped(text);
  };
  rules.html_block = (tokens, index) => htmlOf(tokens[index].content);
  rules.html_inline = rules.html_block;
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>';
  rules.fence = (tokens, index) => {
    const language = tokens[index].info.trim().split(/\s/)[0] || 'text';
    return `<pre tabindex="0" data-language="${escaped(language)}"><code>${escaped(tokens[index].content)}</code></pre>`;
  };
  rules.image = (tokens, index) => {
    const source = imageOf(tokens[index].attrGet('src'));
    return source === undefined
      ? ''
      : `<img src="${escaped(source)}" alt="${escaped(tokens[index].content)}" loading="lazy">`;
  };
  rules.link_open = (tokens, index, options, _, self) => {
    const target = targetOf(file, tokens[index].attrGet('href'));
    // Without an address it is text that leads nowhere.
    if (target === undefined) return '<a>';
    tokens[index].attrSet('href', target);
    if (/^https?:/.test(target)) tokens[index].attrSet('rel', 'noreferrer');
    return self.renderToken(tokens, index, options);
  };
  return markdown;
}

/** The text of a token without its marks. */
const plain = (token) =>
  (token.children ?? [])
    .filter(({ type }) => type === 'text' || type === 'code_inline' || type === 'softbreak')
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');

const isText = ({ type }) => type === 'inline' || type === 'fence';

/** The guide in a file: its title, its HTML, and its sections with the text that is searched. */
function readGuide(root, file, imageOf) {
  const markdown = rendererOf(file, imageOf);
  const tokens = markdown.parse(readFileSync(join(root, file), 'utf8'), {});
  const sections = [];
  const used = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plain(tokens[index + 1]);
      const anchor = anchorOf(heading);
      const times = used.get(anchor) ?? 0;
      used.set(anchor, times + 1);
      const id = times === 0 ? anchor : `${anchor}-${times}`;
      token.attrSet('id', id);
      sections.push({ level: Number(token.tag.slice(1)), heading, anchor: id, text: '' });
    } else if (isText(token) && sections.length > 0 && tokens[index - 1]?.type !== 'heading_open') {
      sections.at(-1).text += ` ${token.type === 'fence' ? token.content : plain(token)}`;
    }
  }
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { name: nameOf(file), title: sections[0]?.heading ?? file, html, sections };
}

/** All guides by group. `imageOf` takes the path of an image and returns its address from a guide's page. */
export function readGuides(root, imageOf) {
  const names = [
    ...Object.keys(above).filter((name) => existsSync(join(root, above[name]))),
    ...readdirSync(join(root, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -3)),
  ];
  const listed = Object.values(groups).flat();
  const grouped = { ...groups, More: names.filter((name) => !listed.includes(name)) };
  const guideOf = (name) => {
    const file = above[name] ?? `docs/${name}.md`;
    return readGuide(root, file, (path) => imageOf(posix.join(posix.dirname(file), path)));
  };
  return Object.entries(grouped)
    .map(([group, members]) => ({ group, guides: members.filter((name) => names.includes(name)).map(guideOf) }))
    .filter(({ guides }) => guides.length > 0);
}

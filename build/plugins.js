// Plugins of the bundler: what the code of packages must become to work, start fast and stay small in a bundle.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const REQUIRED = 'required:';

/** The entry of a package in a bundle of its own. */
export const required = (name) => `${REQUIRED}${name}`;

/** A package as `require` finds it, which may be another file than `import` does. */
export const requiredEntries = {
  name: 'required-entries',
  resolveId: (id) => (id.startsWith(REQUIRED) ? id : null),
  load: (id) => (id.startsWith(REQUIRED) ? `module.exports = require('${id.slice(REQUIRED.length)}');` : null),
};

/** Lets `dist/` load the packages that `bundlePackages` writes. */
export const packagesOutside = {
  name: 'packages-outside',
  load: (id) =>
    id.endsWith('/src/require-package.ts')
      ? `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
export const requirePackage = (name) => require(\`./packages/\${name}.bundle.cjs\`);`
      : null,
};

/** The PDF library requires its fonts, which are code too, in a way that no bundler sees. */
export const fontsInside = {
  name: 'fonts-inside',
  transform: {
    filter: { id: /pdfkit\/js\/pdfkit\.js$/ },
    handler: (code) => code.replaceAll("require$1('#standard-fonts/", "require('pdfkit/standard-fonts/"),
  },
};

/**
 * Newer versions of Node warn of `url.parse`, except where a package in `node_modules` calls it: the router does so for odd
 * paths, and the validator for its own. In `dist/` they are no longer packages.
 */
export const quietUrlParse = {
  name: 'quiet-url-parse',
  transform: {
    filter: { id: /node_modules\/(parseurl\/index|express-openapi-validator\/dist\/.*\/req\.parameter\.mutator)\.js$/ },
    handler(code, id) {
      const required = /require\(['"]url['"]\)/;
      if (!required.test(code)) throw new Error(`${id} no longer requires url: see what it calls instead.`);
      return code.replace(
        required,
        `{ ...require('url'), parse(text) {
          const { noDeprecation } = process;
          process.noDeprecation = true;
          try { return require('url').parse(text); } finally { process.noDeprecation = noDeprecation; }
        } }`,
      );
    },
  },
};

/** The types that the server sends by the names of files; it asks for no others. */
const sentTypes = new Set(['html', 'txt', 'json', 'yaml', 'css', 'js', 'svg', 'png', 'ico', 'woff2', 'bin']);

/**
 * Packages load others that this server never calls. Express: a reader of bodies, and a table of 2,500 media types; they
 * took a tenth of the start, also because the reader's tables of character sets are written in those characters, and make
 * a file one of two bytes a character. The PDF library: a reader of font files and one of images, three quarters of its
 * size and of the time of the first letter, which is written in a font that every viewer has.
 */
export const neverCalled = {
  name: 'never-called',
  load(id) {
    if (/node_modules\/(body-parser\/index\.js$|fontkit\/|png-js\/)/.test(id)) return 'module.exports = {};';
    if (!/node_modules\/mime-db\/db\.json$/.test(id)) return null;
    const isSent = ([, { extensions = [] }]) => extensions.some((extension) => sentTypes.has(extension));
    return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(readFileSync(id, 'utf8'))).filter(isSent)));
  },
};

/** The parser of command lines can run commands that are programs of their own; this one has none. */
export const noPrograms = {
  name: 'no-programs',
  transform: {
    filter: { id: /node_modules\/commander\/lib\/command\.js$/ },
    handler: (code) => code.replace("require('node:child_process')", '{}'),
  },
};

const HTTP = '\0http-alone';

/**
 * Importing `node:http` reads all that it exports, and so loads a client of HTTP and WebSockets which newer versions of Node
 * (22.5 and later) export there and load when it is read: 30 ms and 10 MB, a third of the start on Node 24. As Node's own
 * `require`, this reads only what the server uses.
 */
export const httpAlone = {
  name: 'http-alone',
  resolveId: (id, importer) => (id === 'node:http' && !importer?.includes('/node_modules/') ? HTTP : null),
  load(id) {
    if (id !== HTTP) return null;
    const ready = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, { value }]) => value !== undefined);
    return `export const { ${ready.map(([name]) => name).join(', ')} } = process.getBuiltinModule('node:http');`;
  },
};

/** What extends the types of a module that a project may not have: a comment that would be lost otherwise. */
export const otherModulesMayBeAbsent = {
  name: 'other-modules-may-be-absent',
  renderChunk: (code) => code.replace(/^declare module ['"]expect['"]/m, '// @ts-ignore\n$&'),
};

/** Leaves the server out of the CommonJS library, which loads the one in `in-process.cjs`. */
export const serverOutside = {
  name: 'server-outside',
  resolveId: (source) => (source === './in-process.ts' ? { id: './in-process.cjs', external: true } : null),
};

// The build of the dashboard, which `npm run build` runs; `npm run dashboard` serves it with hot reloading meanwhile.
import { defineConfig } from 'vite';

/** The server whose data is shown while the dashboard is developed. */
const sandbox = process.env.RINGBACK_URL ?? 'http://127.0.0.1:4747';
const proxy = { target: sandbox, ws: true };

export default defineConfig({
  // Addresses relative to the page, so that it works below any path prefix.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: { '^/_sandbox/(?!ui/)': proxy, '^/(v1|api|docs|openapi.yaml)': proxy },
  },
});

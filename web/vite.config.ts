import { defineConfig } from 'vite'

/** Addresses in it are relative, so that one build can be served below any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  build: {
    assetsDir: 'page',
    rollupOptions: {
      input: {
        page: `${import.meta.dirname}/index.html`,
        'service-worker': `${import.meta.dirname}/service-worker.ts`,
        // Pages made by the server refer to these by name (src/http/pages/html.ts, log-in).
        'desktop-login': `${import.meta.dirname}/desktop-login.ts`,
        'passkey-form': `${import.meta.dirname}/passkey-form.ts`,
        doors: `${import.meta.dirname}/doors.css`,
        public: `${import.meta.dirname}/public.css`,
      },
      output: {
        assetFileNames: ({ names: [name] }) =>
          name === 'doors.css' || name === 'public.css'
            ? 'page/[name][extname]'
            : 'page/[name]-[hash][extname]',
        // The service worker stays at the top without a digest: its folder is its scope, and browsers know it by its name.
        // One file for what the page loads at its start: many small ones compress worse, and each is a request.
        codeSplitting: {
          groups: [
            {
              // What asks for the snapshot is there long before the rest.
              name: 'early',
              test: /\/web\/(?:early|api\/(?:early|request|errors|json|surroundings)|state\/wire)\.ts$/,
              priority: 2,
            },
            {
              name: 'first',
              test: /(?<!\/service-worker|\/desktop-login|\/passkey-form)\.tsx?$|node_modules/,
              tags: ['$initial'],
            },
          ],
        },
        entryFileNames: ({ name }) => {
          if (name === 'service-worker') return '[name].js'
          return ['desktop-login', 'passkey-form'].includes(name) ? 'page/[name].js' : 'page/[name]-[hash].js'
        },
      },
    },
    target: 'es2023',
    // Nothing inline: the page's policy allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

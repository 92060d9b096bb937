import { defineConfig, type Plugin } from 'vite'

/**
 * Puts the early script and the style of the frame (styles/frame.css) before everything else, and the style of the rest behind the frame,
 * which a browser paints without waiting for it. Scripts wait for both.
 */
function paintFrameFirst(): Plugin {
  return {
    name: 'paint-frame-first',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle)
        const script = files.find((file) => file.type === 'chunk' && file.name === 'early' && !file.isEntry)
        const style = files.find((file) => file.type === 'asset' && file.names.includes('frame.css'))
        if (!script || !style) throw new Error('The early script or the style of the frame was not built.')
        const [link = ''] = html.match(/<link rel="stylesheet"[^>]*>\n?/) ?? []
        const first = [
          `<script type="module" async crossorigin src="./${script.fileName}"></script>`,
          `<link rel="stylesheet" crossorigin href="./${style.fileName}">`,
        ]
        return html
          .replace(link, '')
          .replace(new RegExp(`\\s*<(?:script|link)[^>]*${script.fileName}[^>]*>(?:</script>)?`), '')
          .replace('</title>', `</title>\n${first.join('\n')}`)
          .replace('<noscript>', `${link}<noscript>`)
      },
    },
  }
}

/** Addresses in it are relative, so that one build can be served below any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [paintFrameFirst()],
  build: {
    assetsDir: 'page',
    rollupOptions: {
      input: {
        early: `${import.meta.dirname}/early.ts`,
        frame: `${import.meta.dirname}/styles/frame.css`,
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
              test: /\/web\/(?:early|api\/(?:early|request|errors|json|surroundings)|state\/wire|ui\/stored)\.ts$/,
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

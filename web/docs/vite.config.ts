import { defineConfig } from 'vite'

/** Style and script of the documentation, whose pages are written by scripts/docs-site.ts and name both without a digest. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  build: {
    assetsDir: 'files',
    rollupOptions: {
      input: { docs: `${import.meta.dirname}/docs.ts` },
      output: { assetFileNames: 'files/[name][extname]', entryFileNames: 'files/[name].js' },
    },
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

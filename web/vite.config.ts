import { defineConfig } from 'vite'

/** Addresses in it are relative, so that one build can be served below any path. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  build: {
    assetsDir: 'page',
    target: 'es2023',
    // Nothing inline: the page's policy admits files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

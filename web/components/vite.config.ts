import { defineConfig } from 'vite'

/** The page of the components, which a local server shows at /dev/components/. No deployment has its files. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

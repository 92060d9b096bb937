/**
 * Dependencies are bundled without the platform's `console`: some print what people have written, so that lines of the log could be forged.
 * Our own lines are written by `globalThis.console`, in `core/log.ts` alone.
 */

/** Options of esbuild that replace `console` by one that writes nothing. */
export const WITHOUT_CONSOLE = {
  define: { console: 'silentConsole' },
  banner: 'const silentConsole = new Proxy({}, { get: () => () => {} })',
}

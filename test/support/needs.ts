/** The missing need for which a test is skipped. The run prints it at its end. */

declare module 'vitest' {
  interface TaskMeta {
    /** Programs or files without which the test is skipped. */
    needs?: string
  }
}

/** Chromium, for tests of pages: playwright's, or one of the system. */
export const A_BROWSER = 'Chromium (set CHROMIUM to its path)'

/**
 * Returns the options of a test or group that is skipped without what it needs. They go with `skipIf`, which checks whether the need is met.
 */
export function needs<Options extends object>(what: string, options?: Options) {
  return { ...options, meta: { needs: what } }
}

/** The reason for which a test is skipped: what it needs and does not have. The run prints it at its end. */

declare module 'vitest' {
  interface TaskMeta {
    /** Programs or files without which the test is skipped. */
    needs?: string
  }
}

/** Chromium, for tests of pages: playwright's, or one of the system. */
export const A_BROWSER = 'Chromium (set CHROMIUM to its path)'

/**
 * Returns the options of a test or group that is skipped without what it needs. They go beside `skipIf`, which checks
 * whether it exists.
 */
export function needs<Options extends object>(what: string, options?: Options) {
  return { ...options, meta: { needs: what } }
}

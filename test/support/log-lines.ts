import { expect, vi } from 'vitest'
import { fromJson } from './json.ts'
import { world } from './world.ts'

/** A line of the log; its other fields depend on `what`. */
export interface LogLine {
  readonly at: string
  readonly level: 'info' | 'warn' | 'error'
  readonly what: string
  readonly [fact: string]: unknown
}

/** Captures all lines until the end of the test, in place of printing them. */
export function captureLog() {
  world.settings = { ...world.settings, LOG: 'all' }
  const raw: string[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => {
      raw.push(said.map(String).join(' '))
    })
  }
  return {
    /** The lines as they were written. */
    raw,
    lines: (what?: string): LogLine[] =>
      raw.map((line) => fromJson<LogLine>(line)).filter((line) => what === undefined || line.what === what),
  }
}

/** A word that tests put into everything a client sends. */
export const MARKER = 'zqxmarker'

/** Requires that no line has any of these, or an address of a user. */
export function requireSilence(raw: readonly string[], secrets: readonly string[]): void {
  for (const line of raw) {
    for (const secret of secrets) expect(line.toLowerCase(), line).not.toContain(secret.toLowerCase())
    expect(line).not.toMatch(/[^\s"<]+@[^\s"<]+\.test/)
  }
}

/**
 * Whether a request to an organization may have caused a line. Jobs run without a request, and may have no service to call; other
 * organizations belong to earlier tests.
 */
export function isOfRequest(line: unknown, realmId: number): boolean {
  const { what, realm_id = realmId } = fromJson<LogLine>(String(line))
  return what !== 'job' && realm_id === realmId
}

import { vi } from 'vitest'
import { world } from './world.ts'

/** A line of the log; what it has beside depends on `what`. */
export interface LogLine {
  readonly at: string
  readonly level: 'info' | 'warn' | 'error'
  readonly what: string
  readonly [fact: string]: unknown
}

/** From now on until the end of the test all lines are written, to be looked at and not to the terminal. */
export function captureLog() {
  world.settings = { ...world.settings, LOG: 'all' }
  const raw: string[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => {
      raw.push(said.map(String).join(' '))
    })
  }
  return {
    /** As they were written. */
    raw,
    lines: (what?: string): LogLine[] =>
      raw
        .map((line) => JSON.parse(line) as LogLine)
        .filter((line) => what === undefined || line.what === what),
  }
}

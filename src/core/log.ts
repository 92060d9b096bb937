export interface LogEnvironment {
  /** `all`: also a line for each request and job; `troubles`: warnings and errors alone; `off`. */
  readonly LOG?: string
}

export type LogLevel = 'info' | 'warn' | 'error'

const MAX_TEXT_LENGTH = 300
const FRAMES = 6
const ADDRESS = /[^\s"'<>(),;:]{1,64}@[^\s"'<>(),;:]{1,255}/g
const QUOTED = /"[^"]*"?/g
const URL_PATH = /(https?:\/\/[^\s/?#]+)\S*/g

/** The levels that are written. All Workers and objects in an isolate share the setting. */
let written: readonly LogLevel[] = ['info', 'warn', 'error']

/** Applies the setting. Any unknown value means `all`. */
export function configureLog({ LOG }: LogEnvironment): void {
  if (LOG === 'off') written = []
  else written = LOG === 'troubles' ? ['warn', 'error'] : ['info', 'warn', 'error']
}

/**
 * Writes one line of JSON for operators: Workers Logs index its fields. `what` is a kind of line (`request`,
 * `job`) or a sentence that is the same each time. `facts` are numbers, ids, and names that occur in the
 * source: never what a user wrote or sent, no keys, no addresses; `facts.error` is anything that was
 * thrown. Logging never makes the logged work fail.
 */
export function log(level: LogLevel, what: string, facts: object = {}): void {
  if (!written.includes(level)) return
  try {
    const line = JSON.stringify({ at: new Date().toISOString(), level, what, ...writable(facts) })
    // By its full name: the bundle gives dependencies a `console` that writes nothing (scripts/without-console.ts).
    if (level === 'info') globalThis.console.log(line)
    else globalThis.console[level](line)
  } catch {
    // A line that cannot be written must not fail the caller.
  }
}

function writable(facts: object): object {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      if (name === 'error') return [name, describeError(value)]
      return [name, typeof value === 'string' ? withoutPeople(value) : value]
    }),
  )
}

/**
 * Returns the kind, message and stack of an error. The message may quote user data (a search word, invalid JSON): quotations are left out,
 * and so are the paths of URLs.
 */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const said = error.name === 'SyntaxError' ? '' : error.message.slice(0, MAX_TEXT_LENGTH)
  const text = withoutPeople(said.replaceAll(QUOTED, '"…"').replaceAll(URL_PATH, '$1'))
  return [`${error.name}: ${text}`, ...framesOf(error)].join('\n')
}

/** Returns the stack frames, without the head, which repeats the message. */
function framesOf({ stack, message }: Error): string[] {
  const below = stack?.slice(Math.max(stack.indexOf(message), 0) + message.length) ?? ''
  return below
    .slice(0, 4_000)
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, FRAMES)
}

function withoutPeople(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH).replaceAll(ADDRESS, '<address>')
}

/** Finds lines of the server's log (src/core/log.ts) in a stream of text, and describes them for people. */
import { fromJson } from './json.ts'

export interface LogLine {
  readonly at: string
  readonly level: string
  readonly what: string
  readonly [fact: string]: unknown
}

export interface LogFilter {
  readonly operation?: string
  /** `503`, or `5xx` for a hundred of them. */
  readonly status?: string
  /** The smallest duration, in milliseconds. */
  readonly slow?: number
  /** `warn`: warnings and errors; `error`: errors. */
  readonly level?: string
  /** `request`, `job`, or the sentence of any other line. */
  readonly what?: string
}

/** One call of the Worker, as `wrangler tail --format json` reports it. */
interface TailedCall {
  readonly outcome?: string
  readonly eventTimestamp?: number
  readonly logs?: readonly { readonly message: unknown }[]
}

/**
 * Finds the lines of the log in a stream of text: as they are, in what `wrangler tail --format json` prints (an object over
 * several lines for each call), or among other lines, which are skipped.
 */
export class LogReader {
  /** The beginning of an object that continues in the next lines. */
  #open: string[] | undefined
  readonly #onOther: (line: string) => void

  /** @param onOther receives each line that is neither a log line nor a part of an object */
  constructor(onOther: (line: string) => void = () => {}) {
    this.#onOther = onOther
  }

  read(line: string): LogLine[] {
    if (this.#open) return this.#goOn(line)
    if (line === '{') {
      this.#open = [line]
      return []
    }
    const value = parse(line)
    if (value === undefined) this.#onOther(line)
    return linesIn(value)
  }

  #goOn(line: string): LogLine[] {
    this.#open!.push(line)
    if (line !== '}') return []
    const whole = parse(this.#open!.join('\n'))
    this.#open = undefined
    return linesIn(whole)
  }
}

export function isWanted(line: LogLine, { operation, status, slow, level, what }: LogFilter): boolean {
  if (operation !== undefined && line.operation !== operation) return false
  if (status !== undefined && !isStatus(line.status, status)) return false
  if (slow !== undefined && !(typeof line.duration_ms === 'number' && line.duration_ms >= slow)) return false
  if (what !== undefined && line.what !== what) return false
  if (level === 'error') return line.level === 'error'
  return level !== 'warn' || line.level !== 'info'
}

/**
 * Returns the line in columns.
 * @param explain changes the stack of an error.
 */
export function describeLine(line: LogLine, explain = (stack: string) => stack): string {
  const time = line.at.slice(11, 23)
  if (line.what === 'request') return `${time}  ${describeRequest(line)}`
  const { at: _, level, what, error, organization, ...facts } = line
  const rest = Object.entries(facts).map(([name, value]) => `${name}=${String(value)}`)
  const said = [level.toUpperCase().padEnd(5), what, ...rest, organization].filter(Boolean).join('  ')
  const trouble = typeof error === 'string' ? `\n    ${explain(error).replaceAll('\n', '\n    ')}` : ''
  return `${time}  ${said}${trouble}`
}

function describeRequest(line: LogLine): string {
  const { status, method, operation, duration_ms, rows_read, rows_written, far_trips, organization } = line
  return [
    status,
    String(method).padEnd(6),
    String(operation).padEnd(32),
    `${duration_ms} ms`.padStart(8),
    `rows ${rows_read}/${rows_written}`.padEnd(14),
    `trips ${far_trips}`,
    organization,
    line.code,
    line.held_ms === undefined ? undefined : `held ${line.held_ms} ms`,
  ]
    .filter((part) => part !== undefined && part !== null)
    .join('  ')
}

function isStatus(status: unknown, wanted: string): boolean {
  const text = String(status)
  return /^\dxx$/.test(wanted) ? text.length === 3 && text[0] === wanted[0] : text === wanted
}

function linesIn(value: unknown): LogLine[] {
  if (isLine(value)) return [value]
  if (typeof value !== 'object' || value === null || !('logs' in value)) return []
  const { logs, outcome, eventTimestamp } = value as TailedCall
  const lines = (logs ?? [])
    .flatMap(({ message }) => (Array.isArray(message) ? message : [message]))
    .map((said) => (typeof said === 'string' ? parse(said) : said))
    .filter(isLine)
  if (outcome === undefined || outcome === 'ok' || outcome === 'canceled') return lines
  const at = new Date(eventTimestamp ?? 0).toISOString()
  return [...lines, { at, level: 'error', what: 'The platform ended a call', outcome }]
}

function isLine(value: unknown): value is LogLine {
  if (typeof value !== 'object' || value === null) return false
  const { at, level, what } = value as Partial<LogLine>
  return typeof at === 'string' && typeof level === 'string' && typeof what === 'string'
}

function parse(text: string): unknown {
  try {
    return fromJson(text)
  } catch {
    return undefined
  }
}

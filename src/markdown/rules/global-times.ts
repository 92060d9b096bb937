import type { MarkdownIt, StateInline } from 'markdown-it'
import { pushElement } from './spans.ts'

const opening = '<time:'
/** No way to write a moment is longer. */
const longestTime = 64

/**
 * `<time:2024-03-07T15:00:00-08:00>`: a moment that each reader sees in their own time zone. What is no
 * moment stays text. Source: the public API's message formatting, "Global times".
 */
function parseGlobalTime(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src.charCodeAt(pos) !== 0x3c || !src.startsWith(opening, pos)) return false
  const start = pos + opening.length
  const length = src.slice(start, Math.min(state.posMax, start + longestTime + 1)).indexOf('>')
  if (length < 1) return false
  const text = src.slice(start, start + length)
  const datetime = instantOf(text)
  if (datetime === undefined) return false
  if (!silent) pushElement(state, 'time', [['datetime', datetime]], text)
  state.pos = start + length + 1
  return true
}

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?)? ?(Z|z|UTC|utc|[+-]\d\d:?\d\d|[+-]\d\d)?$/

/** The moment as `YYYY-MM-DDTHH:MM:SSZ`; a time without a zone is UTC. Accepts ISO 8601 and Unix seconds. */
function instantOf(text: string): string | undefined {
  const trimmed = text.trim()
  if (/^-?\d{1,12}(\.\d{1,9})?$/.test(trimmed)) return format(Number(trimmed) * 1000)
  const match = iso.exec(trimmed)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? '0')) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const instant = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  // Years below 100 would be read as 19xx by Date.UTC.
  instant.setUTCFullYear(year, month - 1, day)
  if (instant.getUTCMonth() !== month - 1 || instant.getUTCDate() !== day) return undefined
  const offset = offsetMinutes(match[7])
  return offset === undefined ? undefined : format(instant.getTime() - offset * 60_000)
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || /^[zu]/i.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

/** Only years 1 to 9999: others have no agreed ISO form. */
function format(milliseconds: number): string | undefined {
  const instant = new Date(milliseconds)
  const year = instant.getUTCFullYear()
  if (Number.isNaN(year) || year < 1 || year > 9999) return undefined
  return `${instant.toISOString().slice(0, 19)}Z`
}

export function useGlobalTimes(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'global_time', parseGlobalTime)
}

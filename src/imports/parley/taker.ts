import { Payload } from '../../integrations/payload.ts'
import type { JsonItem } from '../json-items.ts'
import type { NeutralRecord } from '../neutral.ts'

/** Units of a text that are read. */
const MAX_TEXT = 1_000_000

/** Records, or work without any. */
type Taking = AsyncGenerator<NeutralRecord> | Promise<void>

/** What makes records of the items of one file. */
export interface Taker {
  /** Takes an item of a list, or what is no list: `list` is its key. */
  take(list: string, row: Payload): Taking
  /** Makes what is known when all items were taken. */
  end?(): Taking
}

/** A taker that makes the records of each row by itself. */
export function eachRow(records: (row: Payload) => AsyncGenerator<NeutralRecord>): Taker {
  return { take: (_, row) => records(row) }
}

/** Yields the records of all items. */
export async function* takeAll(items: AsyncIterable<JsonItem>, taker: Taker): AsyncGenerator<NeutralRecord> {
  for await (const { list, number, value, fault } of items) {
    if (fault !== undefined) yield { type: 'problem', kind: 'not readable', detail: fault, entry: number }
    else yield* recordsOf(taker.take(list, new Payload(value, MAX_TEXT)))
  }
  yield* recordsOf(taker.end?.())
}

async function* recordsOf(taking: Taking | undefined): AsyncGenerator<NeutralRecord> {
  if (!taking) return
  if (taking instanceof Promise) await taking
  else yield* taking
}

/** Returns milliseconds of a date in ISO 8601; undefined for what is none. */
export function timeOf(date: string): number | undefined {
  const time = Date.parse(date)
  return time > 0 ? time : undefined
}

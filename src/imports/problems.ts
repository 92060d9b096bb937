/** Where problems are, and what is wrong with items. */
import { lookUp, type Payload } from '../integrations/payload.ts'
import type { JsonItem } from './json-items.ts'
import type { NeutralRecord, RecordOf } from './neutral.ts'

/** Adds a place to those problems that do not have one. */
export async function* placed(
  records: AsyncIterable<NeutralRecord>,
  place: Pick<RecordOf<'problem'>, 'file' | 'line' | 'entry'>,
): AsyncGenerator<NeutralRecord> {
  for await (const record of records) yield record.type === 'problem' ? { ...place, ...record } : record
}

export function unreadable(
  detail: string,
  place: Pick<RecordOf<'problem'>, 'line' | 'entry'>,
): RecordOf<'problem'> {
  return { type: 'problem', kind: 'not readable', detail, ...place }
}

/** Yields the records of each item, and a problem for each that cannot be read. */
export async function* ofItems(
  items: AsyncIterable<JsonItem>,
  recordsOf: (item: JsonItem) => AsyncIterable<NeutralRecord>,
): AsyncGenerator<NeutralRecord> {
  for await (const item of items) {
    if (item.isLatin1)
      yield {
        type: 'problem',
        kind: 'text that is no UTF-8',
        detail: 'it is read as Latin-1',
        entry: item.number,
      }
    if (item.fault === undefined) yield* placed(recordsOf(item), { entry: item.number })
    else yield unreadable(item.fault, { entry: item.number })
  }
}

/** The keys that items of each list must have. */
export type RequiredKeys = Readonly<Record<string, readonly string[]>>

/** Returns what an item of a list lacks; undefined for a complete one. */
export function lackOf(required: RequiredKeys, list: string, item: Payload): string | undefined {
  const key = lookUp(required, list)?.find((one) => item.text(one) === '')
  return key === undefined ? undefined : `${list} without ${key}`
}

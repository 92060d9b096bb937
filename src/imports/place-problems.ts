import type { NeutralRecord } from './neutral.ts'

/** Says of each problem in which file it is. Those that only count what was left out are in none. */
export async function* placeProblems(
  records: AsyncIterable<NeutralRecord>,
  file: string | undefined,
): AsyncGenerator<NeutralRecord> {
  for await (const record of records) {
    const hasPlace = file !== undefined && record.type === 'problem' && !record.kind.startsWith('left out')
    yield hasPlace ? { ...record, file } : record
  }
}

import type { ImportArchive, ImportReader, ImportUnit } from '../../src/imports/import-reader.ts'
import { type NeutralRecord, type NeutralType, type RecordOf, takeRecord } from '../../src/imports/neutral.ts'
import { fromJson } from '../support/json.ts'
import { collected } from './collected.ts'

/** What a reader makes of an archive. */
export class ReadArchive {
  readonly records: readonly NeutralRecord[]

  constructor(records: readonly NeutralRecord[]) {
    this.records = records
  }

  of<Type extends NeutralType>(type: Type): Extract<NeutralRecord, { type: Type }>[] {
    return this.records.filter(
      (record): record is Extract<NeutralRecord, { type: Type }> => record.type === type,
    )
  }

  message(id: string): RecordOf<'message'> | undefined {
    return this.of('message').find((message) => message.id === id)
  }

  contents(): string[] {
    return this.of('message').map(({ content }) => content)
  }

  /** Returns how many problems there are of each kind. */
  problems(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const { kind } of this.of('problem')) counts[kind] = (counts[kind] ?? 0) + 1
    return counts
  }
}

/**
 * Reads all units of an archive as the engine does: what a reader knows goes through JSON between units. Each record has to be one that
 * the writer takes, without a field that it passes over. Messages of channels have their topic, also where the archive has it for all, and
 * problems are of the unit's file, unless they name another.
 */
export async function readArchive(reader: ImportReader, archive: ImportArchive): Promise<ReadArchive> {
  const stored = new Map<string, string>()
  const records: NeutralRecord[] = []
  let state = {}
  let mainTopic: string | undefined
  const units: ImportUnit[] = await collected(reader.units(archive))
  for (const unit of units) {
    const context = {
      state: fromJson(JSON.stringify(state)),
      store: {
        get: async (key: string) => stored.get(key),
        put: async (key: string, value: string) => {
          if (value.length > 65_536) throw new Error('too long for the store')
          stored.set(key, value)
        },
      },
      add(found: ImportUnit) {
        // The last unit of Discord's moves itself to the end.
        if (!reader.adds(unit) && unit['kind'] !== 'end')
          throw new Error(`${unit.name} adds units unannounced`)
        units.push(found)
      },
    }
    for await (const record of reader.read(archive, fromJson(JSON.stringify(unit)), context)) {
      const taken = takeRecord(fromJson(JSON.stringify(record)))
      if ('problem' in taken || taken.passedOver.length > 0) {
        throw new Error(`not a neutral record: ${JSON.stringify({ record, taken }).slice(0, 1_000)}`)
      }
      if (record.type === 'parley-import') mainTopic = record.topic
      const isWithout =
        record.type === 'message' && record.channel !== undefined && record.topic === undefined
      if (isWithout && mainTopic !== undefined) records.push({ ...record, topic: mainTopic })
      else records.push(record.type === 'problem' ? { file: unit.name, ...record } : record)
    }
    state = context.state
  }
  return new ReadArchive(records)
}

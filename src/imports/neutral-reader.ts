import { parseJson } from '../core/json.ts'
import { isJsonDeeperThan } from '../core/json-depth.ts'
import type { ImportContext, ImportReader, ImportUnit } from './import-reader.ts'
import { linesOf, MAX_LINE_BYTES } from './lines.ts'
import type { NeutralRecord } from './neutral.ts'

/** Bytes of one unit: the lines that begin in it. */
const UNIT_BYTES = 8 * 1024 * 1024
/** Levels of lists and objects in a line: a record has four. */
const MAX_LEVELS = 20
const FIRST_BYTES = 4_096

interface LinesUnit extends ImportUnit {
  readonly from: number
  readonly to: number
}

/** The neutral form itself: a record a line. */
export const neutralReader: ImportReader<LinesUnit> = {
  name: 'neutral',
  displayName: 'JSON lines of the neutral form',

  async recognises(archive) {
    const first = new TextDecoder().decode(await archive.read(0, FIRST_BYTES))
    return /^\ufeff?\s*\{[^\n]*"type"\s*:\s*"parley-import"/.test(first)
  },

  async *units(archive) {
    for (let from = 0; from < archive.size; from += UNIT_BYTES) {
      yield { name: archive.name, from, to: Math.min(from + UNIT_BYTES, archive.size) }
    }
  },

  async *read(archive, unit, context) {
    for await (const line of linesOf(archive, unit)) {
      const number = nextLine(context)
      const record = line === 'too long' ? tooLong() : recordOf(line)
      if (!record) continue
      yield record.type === 'problem' ? { ...record, file: unit.name, line: number } : record
    }
  },
}

/** Counts lines over all units, which are read in order. */
function nextLine({ state }: ImportContext): number {
  const line = Number(state.line ?? 0) + 1
  state.line = line
  return line
}

function tooLong(): NeutralRecord {
  return { type: 'problem', kind: 'line too long', detail: `more than ${MAX_LINE_BYTES} bytes` }
}

/** Returns what a line says; a problem where it is no JSON, and nothing for an empty one. Which record it is, others see. */
function recordOf(line: string): NeutralRecord | undefined {
  const json = line.trim()
  if (json === '') return undefined
  if (isJsonDeeperThan(MAX_LEVELS, json)) {
    return { type: 'problem', kind: 'nested too deep', detail: `more than ${MAX_LEVELS} levels` }
  }
  try {
    return parseJson(json) as NeutralRecord
  } catch {
    return { type: 'problem', kind: 'no JSON', detail: json.slice(0, 100) }
  }
}

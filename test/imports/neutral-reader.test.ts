import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/core/json.ts'
import type { ImportArchive, ImportContext } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import type { NeutralRecord } from '../../src/imports/neutral.ts'

const MEBIBYTE = 1024 * 1024
const HEAD = '{"type":"parley-import","version":1,"source":"test"}'

function archiveOf(text: string): ImportArchive & { largestRead: number } {
  const bytes = new TextEncoder().encode(text)
  return {
    name: 'import.jsonl',
    size: bytes.length,
    largestRead: 0,
    async read(from, to) {
      this.largestRead = Math.max(this.largestRead, to - from)
      return bytes.slice(from, to)
    },
  }
}

/** Reads all units, with the context written as JSON and read again between them. */
async function readAll(archive: ImportArchive): Promise<NeutralRecord[]> {
  const reader = (await findReaderOf(archive))!
  const records: NeutralRecord[] = []
  let state: ImportContext['state'] = {}
  for await (const unit of reader.units(archive)) {
    const store = { get: async () => undefined, put: async () => {} }
    const context: ImportContext = { state, store, add: () => {} }
    for await (const record of reader.read(
      archive,
      parseJson(JSON.stringify(unit)) as typeof unit,
      context,
    )) {
      records.push(record)
    }
    state = parseJson(JSON.stringify(context.state)) as typeof state
  }
  return records
}

const word = (content: string) => JSON.stringify({ type: 'alert_word', user: 'u', word: content })

describe('lines of the neutral form', () => {
  it('are recognised by their first record alone', async () => {
    expect((await findReaderOf(archiveOf(`${HEAD}\n`)))?.name).toBe('neutral')
    expect(await findReaderOf(archiveOf('{"type":"version","version":1}\n'))).toBeUndefined()
    expect(await findReaderOf(archiveOf(''))).toBeUndefined()
  })

  it('are read once each, wherever a unit ends', async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) =>
      word(`${at} ${'ü'.repeat(at % 7 === 0 ? 30_000 : 10)}`),
    )
    const archive = archiveOf([HEAD, ...lines].join('\n'))
    expect(archive.size).toBeGreaterThan(16 * MEBIBYTE)
    const records = await readAll(archive)
    expect(records.slice(1).map((record) => JSON.stringify(record))).toEqual(lines)
    expect(archive.largestRead).toBeLessThanOrEqual(MEBIBYTE)
  })

  it('that cannot be read are problems with their number, and the rest goes on', async () => {
    const deep = `{"type":${'['.repeat(100_000)}`
    const lines = [HEAD, 'nonsense', '', deep, word('x'.repeat(40 * MEBIBYTE)), word('last'), '{"type":']
    const records = await readAll(archiveOf(lines.join('\r\n')))
    expect(records).toEqual([
      { type: 'parley-import', version: 1, source: 'test' },
      { type: 'problem', kind: 'no JSON', detail: 'nonsense', line: 2 },
      expect.objectContaining({ kind: 'nested too deep', line: 4 }),
      expect.objectContaining({ kind: 'line too long', line: 5 }),
      { type: 'alert_word', user: 'u', word: 'last' },
      expect.objectContaining({ kind: 'no JSON', line: 7 }),
    ])
  })
})

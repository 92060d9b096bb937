import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/core/json.ts'
import type { ImportArchive, ImportContext, ImportReader } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import type { NeutralRecord } from '../../src/imports/neutral.ts'
import { neutralReaderOf } from '../../src/imports/neutral-reader.ts'
import { readArchive } from './read-archive.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf as fileOf } from './zip-builder.ts'

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

describe('a tar archive of the neutral form', () => {
  const file = (id: string, path: string) => `{"type":"file","id":"${id}","name":"a.txt","path":"${path}"}\n`
  const entries = {
    'boats/words.jsonl': `${word('first')}\n${word('second')}\n`,
    'boats/uploads/a.txt': 'the plan',
    'notes.txt': 'not of the archive',
    'boats/parley-import.jsonl': `${HEAD}\n${file('f', 'uploads/a.txt')}${file('g', 'gone.txt')}`,
    'boats/empty.jsonl': '',
    'boats/more/words.jsonl': 'nonsense\n',
  }
  const archive = fileOf(tarOf(entries))

  it('is read from its first record on, whatever the order of its files', async () => {
    const reader = (await findReaderOf(archive))!
    expect(reader.name).toBe('neutral')
    const read = await readArchive(reader, archive)
    expect(read.records.map(({ type }) => type)).toEqual([
      ...['parley-import', 'file', 'file', 'alert_word', 'alert_word', 'problem'],
    ])
    expect(read.of('problem')).toMatchObject([{ kind: 'no JSON', file: 'boats/more/words.jsonl', line: 1 }])
    const [here, gone] = read.of('file')
    const bytes = await (await reader.file!(archive, here!.path!))!.read(0, 100)
    expect(new TextDecoder().decode(bytes)).toBe('the plan')
    expect(await reader.file!(archive, gone!.path!)).toBeUndefined()
  })

  it('says the same when it is listed in short steps', async () => {
    const whole = await readArchive((await findReaderOf(archive))!, archive)
    const steps = neutralReaderOf(2) as ImportReader
    let most = 0
    let surveys = 0
    const watched: ImportReader = {
      ...steps,
      async *read(_archive, unit, context) {
        let headers = 0
        // A step that lists reads a header for each entry, from the end of the step before on.
        const counted = {
          ...archive,
          read: async (from: number, to: number) => {
            headers += 1
            return archive.read(from, Math.min(to, from + 512))
          },
        }
        const isSurvey = unit.kind === 'survey'
        yield* steps.read(isSurvey ? counted : archive, unit, context)
        if (!isSurvey) return
        surveys += 1
        most = Math.max(most, headers)
      },
    }
    expect((await readArchive(watched, archive)).records).toEqual(whole.records)
    expect([surveys, most]).toEqual([4, 2])
  })
})

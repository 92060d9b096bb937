import { expect, it } from 'vitest'
import type { ImportReader, ImportUnit } from '../../src/imports/import-reader.ts'
import { publicServerReaderOf } from '../../src/imports/public-server-reader.ts'
import { archivesOfPrograms } from '../support/archives-of-programs.ts'
import { readArchive } from './read-archive.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

const readerOf = (read: number, divided: number, listed: number) =>
  publicServerReaderOf({ read, divided, listed }) as ImportReader
const WHOLE = readerOf(1e9, 1e9, 1e9)
const CUT = readerOf(700, 3_000, 2)
const { bytes } = archivesOfPrograms(300).find(({ format }) => format === 'public_server')!

it('An export of the public server says the same in short steps as in one', async () => {
  const whole = await readArchive(WHOLE, archiveOf(bytes))
  const cut = await readArchive(CUT, archiveOf(bytes))
  for (const type of ['user', 'channel', 'organization', 'parley-import'] as const)
    expect(cut.of(type)).toEqual(whole.of(type))
  expect(whole.of('message')).toHaveLength(300)
  expect(cut.of('message')).toHaveLength(300)
  for (const message of whole.of('message')) expect(cut.message(message.id)).toEqual(message)
  expect(whole.of('message').some(({ unread_by }) => unread_by)).toBe(true)
  expect(whole.of('message').some(({ starred_by }) => starred_by)).toBe(true)
  expect(whole.of('message').every(({ reactions }) => reactions?.length === 1)).toBe(true)
})

it('No step of it reads more of an archive than its size allows', async () => {
  const archive = archiveOf(bytes)
  const steps: { readonly kind: unknown; readonly bytes: number }[] = []
  let read = 0
  const counted = {
    ...archive,
    read: async (from: number, to: number) => {
      const part = await archive.read(from, to)
      read += part.length
      return part
    },
  }
  const watched: ImportReader = {
    ...CUT,
    async *read(_archive, unit: ImportUnit, context) {
      read = 0
      yield* CUT.read(counted, unit, context)
      steps.push({ kind: unit.kind, bytes: read })
    },
  }
  await readArchive(watched, archive)
  expect(steps.length).toBeGreaterThan(50)
  expect(steps.filter(({ kind }) => kind === 'survey').length).toBeGreaterThan(2)
  for (const { kind, bytes: most } of steps)
    if (kind === 'messages' || kind === 'marks' || kind === 'reactions') expect(most).toBeLessThan(2_000)
})

it('A file that is twice in an export is taken once, also by another step', async () => {
  const files = {
    'x/realm.json': '{"zerver_realm": [{"string_id": "acme"}]}',
    'x/messages-000001.json': '{}',
  }
  const twice = Buffer.concat([
    Buffer.from(tarOf(files)).subarray(0, -1024),
    Buffer.from(tarOf({ 'x/messages-000001.json': '{"zerver_message": [{}]}' })),
  ])
  for (const reader of [WHOLE, readerOf(700, 3_000, 1)]) {
    const all = await readArchive(reader, archiveOf(new Uint8Array(twice)))
    expect(all.problems()).toEqual({ 'file of the archive': 1 })
  }
})

import { expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { parleyReader, parleyReaderOf } from '../../src/imports/parley-reader.ts'
import { archivesOfPrograms } from '../support/archives-of-programs.ts'
import { readArchive } from './read-archive.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

const reader = parleyReader as ImportReader

it('Messages of people whom an export here lacks are by closed accounts', async () => {
  const message = (id: number, more: object) => ({ id, timestamp: 1_600_000_000, content: `m${id}`, ...more })
  const people = [
    { id: 7, full_name: 'Ada' },
    { id: 9, full_name: 'Dan' },
  ]
  const files = {
    'export.json': { format: 2 },
    'users/000001.json': { members: [{ user_id: 7, full_name: 'Ada' }] },
    'messages/000001.json': {
      messages: [
        message(1, { sender_id: 8, sender_full_name: 'Cleo', stream_id: 3, subject: 't' }),
        message(2, { sender_id: 7, display_recipient: people }),
      ],
    },
  }
  const entries = Object.entries(files).map(([name, content]) => [`export/${name}`, JSON.stringify(content)])
  const read = await readArchive(reader, archiveOf(tarOf(Object.fromEntries(entries))))
  expect(read.of('user').map(({ full_name, deactivated }) => [full_name, deactivated])).toEqual([
    ['Ada', false],
    ['Cleo', true],
    ['Dan', true],
  ])
  expect(read.contents()).toEqual(['m1', 'm2'])
})

it('No message of an export here is starred by more people than are told apart', async () => {
  const people = Array.from({ length: 1_005 }, (_, at) => at + 1)
  const message = { id: 5, sender_id: 1, timestamp: 1_600_000_000, content: 'a', stream_id: 3, subject: 't' }
  const files = {
    'export.json': { format: 2, realm_url: 'https://old.example.org' },
    ...Object.fromEntries(
      people.map((user_id) => [`personal/${user_id}.json`, { user_id, starred_messages: [5] }]),
    ),
    'messages/000001.json': { messages: [message] },
  }
  const entries = Object.entries(files).map(([name, content]) => [`export/${name}`, JSON.stringify(content)])
  const read = await readArchive(reader, archiveOf(tarOf(Object.fromEntries(entries))))
  // One more than an import keeps, so that it lists the message.
  expect(read.message('5')!.starred_by).toHaveLength(1_001)
})

it('An export here says the same when it is listed in short steps', async () => {
  const { bytes } = archivesOfPrograms(1_000).find(({ format }) => format === 'parley')!
  const archive = archiveOf(bytes)
  const whole = await readArchive(reader, archive)
  const CUT = parleyReaderOf(3) as ImportReader
  let [steps, most] = [0, 0]
  const watched: ImportReader = {
    ...CUT,
    async *read(_archive, unit, context) {
      let entries = 0
      // A step that lists reads a header for each entry, from the end of the step before on.
      const counted = {
        ...archive,
        read: async (from: number, to: number) => {
          entries += 1
          return archive.read(from, Math.min(to, from + 512))
        },
      }
      const isSurvey = unit.kind === 'survey'
      yield* CUT.read(isSurvey ? counted : archive, unit, context)
      if (!isSurvey) return
      steps += 1
      most = Math.max(most, entries)
    },
  }
  const cut = await readArchive(watched, archive)
  expect(cut.records).toEqual(whole.records)
  // 24 files, and a look behind the last.
  expect(steps).toBe(9)
  expect(most).toBeLessThanOrEqual(4)
})

import { expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { parleyReader } from '../../src/imports/parley-reader.ts'
import { readArchive } from './read-archive.ts'
import { tarOf } from './tar-builder.ts'
import { archiveOf } from './zip-builder.ts'

const reader = parleyReader as ImportReader

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

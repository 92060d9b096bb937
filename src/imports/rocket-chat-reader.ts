import { Payload } from '../integrations/payload.ts'
import {
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  Known,
} from './import-reader.ts'
import type { NeutralRecord } from './neutral.ts'
import { documentsOf } from './rocket-chat/bson.ts'
import { noteRoot, ofMessage, Rooms } from './rocket-chat/messages.ts'
import { Head } from './rocket-chat/rooms.ts'
import { ChunkNotes, fileAt, ofUpload } from './rocket-chat/uploads.ts'
import { filesOfTar, isTar, pathInTar, rangeOf, type TarEntry } from './tar.ts'

/** The topic of messages outside of threads, unless the owner has another. */
const MAIN_TOPIC = 'imported from Rocket.Chat'
/** Units of a text that are read. */
const MAX_TEXT = 200_000
/** Bytes of a part of a large file that is read in one step. */
const PART_BYTES = 32 * 1024 * 1024
const MESSAGES = 'rocketchat_message'
/** Collections of what stands before the messages, in the order in which they are read. */
const HEAD = [
  ['rocketchat_avatars', 'avatars'],
  ['users', 'users'],
  ['rocketchat_subscription', 'subscriptions'],
  ['rocketchat_room', 'rooms'],
  ['rocketchat_custom_emoji', 'emoji'],
] as const
const CHUNKS = /^(?:rocketchat_)?(?:uploads|avatars|custom_emoji)\.chunks$/

interface Part {
  readonly from: number
  readonly size: number
}

interface RocketChatUnit extends ImportUnit {
  readonly kind: 'start' | 'files' | 'chunks' | 'head' | 'uploads' | 'roots' | 'messages'
  /** Where the file of the unit is in the archive, and up to where in it the unit reads. */
  readonly from: number
  readonly size: number
  readonly to: number
}

/** The folder that `mongodump` makes of the database of a Rocket.Chat server, in a tar archive. */
export const rocketChatReader: ImportReader<RocketChatUnit> = {
  name: 'rocket_chat',
  displayName: 'Rocket.Chat (mongodump of its database)',

  async recognises(archive) {
    if (!(await isTar(archive))) return false
    for await (const { name } of filesOfTar(archive))
      if (/(?:^|\/)rocketchat_\w+\.bson(?:\.gz)?$/.test(name)) return true
    return false
  },

  async *units(archive) {
    const files = new Map<string, TarEntry>()
    const chunks: TarEntry[] = []
    for await (const entry of filesOfTar(archive)) {
      const name = /(?:^|\/)([^/]+)\.bson(\.gz)?$/.exec(entry.name)
      if (!name) continue
      if (name[2] !== undefined) {
        throw new ImportRefusedError(
          'The files in this archive are packed one by one. Run mongodump without "--gzip", and pack the folder as a whole.',
        )
      }
      if (CHUNKS.test(name[1]!)) chunks.push(entry)
      // The first one counts.
      else if (!files.has(name[1]!)) files.set(name[1]!, entry)
    }
    const lacking = ['users', 'rocketchat_room', MESSAGES].find((name) => !files.has(name))
    if (lacking !== undefined)
      throw new ImportRefusedError(
        `The archive has no "${lacking}.bson". Give the whole folder that mongodump has made.`,
      )
    yield { name: 'export', kind: 'start', ...unitOf(files.get('users')!) }
    yield { name: 'files', kind: 'files', from: 0, size: 0, to: 0 }
    for (const entry of chunks) yield* partsOf(entry, 'chunks')
    yield {
      name: 'people and rooms',
      kind: 'head',
      ...unitOf(files.get('users')!),
      files: HEAD.flatMap(([name, kind]) => {
        const entry = files.get(name)
        return entry ? [[kind, entry.name, entry.from, entry.size]] : []
      }),
    }
    const uploads = files.get('rocketchat_uploads')
    if (uploads) yield* partsOf(uploads, 'uploads')
    yield* partsOf(files.get(MESSAGES)!, 'roots')
    yield* partsOf(files.get(MESSAGES)!, 'messages')
  },

  async *read(archive, unit, context) {
    const known = new Known(context)
    if (unit.kind === 'start') yield await startOf(archive, unit)
    else if (unit.kind === 'files') await noteFiles(archive, known)
    else if (unit.kind === 'head') yield* headOf(archive, unit, known)
    else yield* partOf(archive, unit, context, known)
  },

  file: fileAt,
}

function unitOf({ from, size }: TarEntry): Part & { to: number } {
  return { from, size, to: size }
}

function* partsOf({ name, from, size }: TarEntry, kind: RocketChatUnit['kind']): Generator<RocketChatUnit> {
  for (let at = 0; at < size; at += PART_BYTES)
    yield { name, kind, from, size, to: Math.min(at + PART_BYTES, size) }
}

/** Names the place by the first person in it: ids are made at random there. */
async function startOf(archive: ImportArchive, users: Part): Promise<NeutralRecord> {
  let first = ''
  for await (const { value } of documentsOf(rangeOf(archive, users.from, users.size), 0, users.size)) {
    const user = new Payload(value)
    // This one is called so on all servers.
    if (user.text('_id') === 'rocket.cat' || user.text('_id') === '') continue
    first = user.text('_id').slice(0, 100)
    break
  }
  return { type: 'parley-import', version: 1, source: `rocket-chat:${first || 'server'}`, topic: MAIN_TOPIC }
}

/** Notes files that the server keeps in a folder, and whose names are their ids. */
async function noteFiles(archive: ImportArchive, known: Known): Promise<void> {
  for await (const entry of filesOfTar(archive)) {
    const name = entry.name.split('/').at(-1)!
    if (!/\.(?:bson|json)$/.test(name) && name.length <= 100)
      await known.put('upload', name, pathInTar(entry))
  }
}

async function* headOf(
  archive: ImportArchive,
  unit: RocketChatUnit,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const head = new Head(known)
  for (const file of new Payload(unit.files).list()) {
    const [kind, name] = [file.text(0), file.text(1)]
    const [from, size] = [file.number(2)!, file.number(3)!]
    let entry = 0
    for await (const { value, fault } of documentsOf(rangeOf(archive, from, size), 0, size)) {
      entry += 1
      if (fault !== undefined)
        yield { type: 'problem', kind: 'not readable', detail: fault, file: name, entry }
      else yield* placed(head.take(kind, new Payload(value, MAX_TEXT)), name, entry)
    }
  }
  yield* head.end()
}

async function* placed(
  records: AsyncIterable<NeutralRecord>,
  file: string,
  entry: number,
): AsyncGenerator<NeutralRecord> {
  for await (const record of records) {
    const hasPlace = record.type === 'problem' && !record.kind.startsWith('left out')
    yield hasPlace ? { ...record, file, entry } : record
  }
}

/** Reads documents from where the part before has ended. */
async function* partOf(
  archive: ImportArchive,
  unit: RocketChatUnit,
  { state }: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const isNext = state.kind === unit.kind && state.from === unit.from
  let [at, entry] = isNext ? [Number(state.at), Number(state.entry)] : [0, 0]
  const rooms = new Rooms(known)
  const chunks = new ChunkNotes(known, unit.from)
  for await (const { end, value, fault } of documentsOf(
    rangeOf(archive, unit.from, unit.size),
    at,
    unit.to,
  )) {
    entry += 1
    const row = new Payload(value, MAX_TEXT)
    if (fault !== undefined) {
      // Roots are read a second time as messages.
      if (unit.kind !== 'roots')
        yield { type: 'problem', kind: 'not readable', detail: fault, file: unit.name, entry }
    } else if (unit.kind === 'chunks') {
      if (row.text('files_id') === '')
        yield { type: 'problem', kind: 'chunk of no file', file: unit.name, entry }
      await chunks.take(row, at, end)
    } else if (unit.kind === 'roots') await noteRoot(row, rooms, known)
    else if (unit.kind === 'uploads') yield* placed(ofUpload(row, known), unit.name, entry)
    else yield* placed(ofMessage(row, rooms, known), unit.name, entry)
    at = end
  }
  await chunks.store()
  Object.assign(state, { kind: unit.kind, from: unit.from, at, entry })
}

import { Payload } from '../integrations/payload.ts'
import {
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  rangeOf,
} from './import-reader.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { placed, unreadable } from './problems.ts'
import { documentsOf } from './rocket-chat/bson.ts'
import { noteRoot, ofMessage, Rooms } from './rocket-chat/messages.ts'
import { Head } from './rocket-chat/rooms.ts'
import { ChunkNotes, fileAt, ofUpload } from './rocket-chat/uploads.ts'
import { filesOf, LISTED_AT_ONCE } from './survey.ts'
import { isTarWith, surveyTar, type TarEntry } from './tar.ts'

/** The topic of messages outside of threads, unless the owner chooses another. */
const MAIN_TOPIC = 'imported from Rocket.Chat'
/** UTF-16 units of a text that are read. */
const MAX_TEXT = 200_000
/** Entries among which an archive is recognised: the folder of files may be before the database. */
const MAX_LOOKED_AT = 2_000
/** Bytes of a part of a large file that one step reads. */
const PART_BYTES = 32 * 1024 * 1024
const USERS = 'users'
const ROOMS = 'rocketchat_room'
const UPLOADS = 'rocketchat_uploads'
const MESSAGES = 'rocketchat_message'
/** Collections that are read before the messages, in their order. */
const HEAD = [
  ['rocketchat_avatars', 'avatars'],
  [USERS, 'users'],
  ['rocketchat_subscription', 'subscriptions'],
  [ROOMS, 'rooms'],
  ['rocketchat_custom_emoji', 'emoji'],
] as const
const COLLECTIONS: ReadonlySet<string> = new Set([...HEAD.map(([name]) => name), UPLOADS, MESSAGES])
const CHUNKS = /^(?:rocketchat_)?(?:uploads|avatars|custom_emoji)\.chunks$/

type FileOfDump = Pick<TarEntry, 'name' | 'from' | 'size'>

interface RocketChatUnit extends ImportUnit {
  readonly kind: 'survey' | 'start' | 'chunks' | 'head' | 'uploads' | 'roots' | 'messages'
  /** Position of the unit's file in the archive, or the one at which listing continues. */
  readonly from: number
  readonly size: number
  /** End of the unit's part of the file. */
  readonly to: number
}

const SURVEY = { name: 'export', kind: 'survey', from: 0, size: 0, to: 0 } as const

/** The folder that `mongodump` makes of the database of a Rocket.Chat server, in a tar archive. */
export const rocketChatReader = rocketChatReaderOf(LISTED_AT_ONCE)

/** `listed`: entries that one step lists. */
export function rocketChatReaderOf(listed: number): ImportReader<RocketChatUnit> {
  return {
    name: 'rocket_chat',
    displayName: 'Rocket.Chat (mongodump of its database)',

    recognises(archive, from) {
      return isTarWith(archive, from, MAX_LOOKED_AT, (name) =>
        /(?:^|\/)rocketchat_\w+\.bson(?:\.gz)?$/.test(name),
      )
    },

    async *units() {
      yield SURVEY
    },

    adds: ({ kind }) => kind === 'survey',

    async *read(archive, unit, context) {
      const known = new Known(context)
      if (unit.kind === 'survey') {
        const next = { begin: unit.from, most: listed }
        const from = yield* surveyTar(archive, next, context, known, neededFile)
        if (from === undefined) await addUnits(context, known)
        else context.add({ ...SURVEY, from })
      } else if (unit.kind === 'start') yield await startOf(archive, unit)
      else if (unit.kind === 'head') yield* headOf(archive, unit, known)
      else yield* partOf(archive, unit, context, known)
    },

    file: fileAt,
  }
}

/** Returns whether a file is needed: a collection, or one of the server's folder of files, whose name is its id. */
function neededFile({ name }: TarEntry) {
  const [, collection, packed] = /(?:^|\/)([^/]+)\.bson(\.gz)?$/.exec(name) ?? []
  if (packed !== undefined) {
    throw new ImportRefusedError(
      'The files in this archive are packed one by one. Run mongodump without "--gzip", and pack the folder as a whole.',
    )
  }
  const key = name.split('/').at(-1)!
  if (collection === undefined)
    return key.endsWith('.json') || key.startsWith('.') || key.length > 100 ? undefined : { key }
  if (CHUNKS.test(collection)) return { key, kinds: ['chunks'] }
  return COLLECTIONS.has(collection) ? { key, kinds: [collection] } : undefined
}

async function addUnits(context: ImportContext, known: Known): Promise<void> {
  const fileOf = async (collection: string) => {
    const [file] = await filesOf(collection, known)
    if (file) return file
    throw new ImportRefusedError(
      `The archive has no "${collection}.bson". Give the whole folder that mongodump has made.`,
    )
  }
  const [users, messages] = [await fileOf(USERS), await fileOf(MESSAGES)]
  await fileOf(ROOMS)
  context.add({ ...users, name: 'export', kind: 'start', to: users.size })
  for (const file of await filesOf('chunks', known)) addParts(context, file, 'chunks')
  const files = await Promise.all(
    HEAD.map(async ([collection, kind]) =>
      (await filesOf(collection, known)).map(({ name, from, size }) => [kind, name, from, size]),
    ),
  )
  context.add({ ...users, name: 'people and rooms', kind: 'head', to: users.size, files: files.flat() })
  for (const file of await filesOf(UPLOADS, known)) addParts(context, file, 'uploads')
  addParts(context, messages, 'roots')
  addParts(context, messages, 'messages')
}

function addParts(context: ImportContext, file: FileOfDump, kind: RocketChatUnit['kind']): void {
  for (let at = 0; at < file.size; at += PART_BYTES)
    context.add({ ...file, kind, to: Math.min(at + PART_BYTES, file.size) })
}

/** Names the place by its first user, whose id is random. */
async function startOf(archive: ImportArchive, users: RocketChatUnit): Promise<NeutralRecord> {
  let first = ''
  for await (const { value } of documentsOf(rangeOf(archive, users.from, users.size), 0, users.size)) {
    const user = new Payload(value)
    // All servers have this one.
    if (user.text('_id') === 'rocket.cat' || user.text('_id') === '') continue
    first = user.text('_id').slice(0, 100)
    break
  }
  return { type: 'parley-import', version: 1, source: `rocket-chat:${first || 'server'}`, topic: MAIN_TOPIC }
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
      if (fault !== undefined) yield { ...unreadable(fault, { entry }), file: name }
      else yield* placed(head.take(kind, new Payload(value, MAX_TEXT)), { file: name, entry })
    }
  }
  yield* head.end()
}

/** Reads the documents after those of the part before. */
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
      // Roots are read again as messages.
      if (unit.kind !== 'roots') yield unreadable(fault, { entry })
    } else if (unit.kind === 'chunks') {
      if (row.text('files_id') === '') yield { type: 'problem', kind: 'chunk of no file', entry }
      await chunks.take(row, at, end)
    } else if (unit.kind === 'roots') await noteRoot(row, rooms, known)
    else if (unit.kind === 'uploads') yield* placed(ofUpload(row, known), { entry })
    else yield* placed(ofMessage(row, rooms, known), { entry })
    at = end
  }
  await chunks.store()
  Object.assign(state, { kind: unit.kind, from: unit.from, at, entry })
}

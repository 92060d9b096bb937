import { Payload } from '../integrations/payload.ts'
import { type DiscordPlace, type FindFile, ofChannels, ofRoles, placeOf } from './discord/channels.ts'
import { DiscordMessages } from './discord/messages.ts'
import {
  blocksOf,
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  rangeOf,
} from './import-reader.ts'
import { GROWTH, itemsOf, type JsonItem, type JsonSection, sectionsAfter, WHOLE } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofItems } from './problems.ts'
import { IdLists } from './stored-lists.ts'
import { filesIn, LISTED_AT_ONCE, listsOf, survey } from './survey.ts'
import { decodedPath } from './texts.ts'
import {
  contentOf,
  type DirectoryPosition,
  entriesOf,
  entryAt,
  fileAt,
  firstEntriesOf,
  isZip,
  refuseEncrypted,
  type ZipEntry,
  ZipEntryError,
} from './zip.ts'

/** Bytes by which a file is recognised. */
const FIRST_BYTES = 2_048
const MEBIBYTE = 1024 * 1024
/** The beginning of a file, which names its server and its channel. Each section of a file reads it. */
const HEAD_OF_FILE: JsonSection = { ...WHOLE, to: MEBIBYTE, isLast: false }
/** Least bytes that a step divides, as a share of those before it: each step unpacks a packed file from its start. */
const DIVIDED = 1 / 4
const HEAD = /^\ufeff?\s*\{\s*"guild"\s*:\s*\{/
const NOISE = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$)/
/** Files among which an archive is recognised. */
const MAX_LOOKED_AT = 20

/** Limits of one step: bytes of JSON that it reads or divides, more if they are far from the start of a packed file, and entries that it lists. */
interface StepSizes {
  readonly read: number
  readonly divided: number
  readonly listed: number
}

/** The purpose of reading sections of a large file: those of a direct conversation are first read for its people. */
type Purpose = 'writers' | 'messages'

interface DiscordUnit extends ImportUnit {
  /** `survey` lists files of the archive; `heads` and `bodies` add units for a list of them, and `then` adds the `bodies`. */
  readonly kind: 'survey' | 'heads' | 'head' | 'then' | 'bodies' | 'divide' | Purpose | 'end'
  /** Position of the file's record in the directory of the ZIP; -1 for a file that is the archive itself. */
  readonly at: number
  /** The purpose of the sections of a file that is divided; '' until that is known. */
  readonly purpose: Purpose | ''
  /** Bytes of the file. */
  readonly size: number
  /** A part of a large file: one that is read by itself, or the one at which dividing continues. */
  readonly section: JsonSection | null
  /** Where `survey` continues. */
  readonly position: DirectoryPosition | null
}

/** Units that may add others. The one at the end moves itself behind them. */
const ADDING: ReadonlySet<DiscordUnit['kind']> = new Set(['survey', 'heads', 'then', 'bodies', 'divide'])

type DiscordFile = Pick<DiscordUnit, 'name' | 'at' | 'size'>

const WHOLE_EXPORT = { name: 'export', at: -1, purpose: '', size: 0, section: null, position: null } as const

/** JSON of DiscordChatExporter: one file, or a ZIP of a file for each channel, with or without the media. */
export const discordReader = discordReaderOf({
  read: 16 * MEBIBYTE,
  divided: 64 * MEBIBYTE,
  listed: LISTED_AT_ONCE,
})

/** Large archives are listed, and large files divided, in steps, which are units too. */
export function discordReaderOf(sizes: StepSizes): ImportReader<DiscordUnit> {
  return {
    name: 'discord',
    displayName: 'Discord (JSON of DiscordChatExporter)',

    async recognises(archive) {
      if (!(await isZip(archive))) return isExport(archive.read(0, FIRST_BYTES))
      let [looked, files] = [0, 0]
      for await (const entry of firstEntriesOf(archive)) {
        looked += 1
        if (!isJson(entry)) continue
        if (await isExport(startOf(archive, entry))) return true
        files += 1
        if (files === MAX_LOOKED_AT) return false
      }
      // The files of channels may come after more media than that; no other format is left for such a ZIP.
      return looked === LISTED_AT_ONCE
    },

    async *units(archive) {
      if (await isZip(archive)) return yield { ...WHOLE_EXPORT, kind: 'survey' }
      const file = { ...WHOLE_EXPORT, name: archive.name, size: archive.size }
      yield { ...file, kind: 'head' }
      yield bodyOf(file, sizes)
      yield { ...WHOLE_EXPORT, kind: 'end' }
    },

    adds: ({ kind }) => ADDING.has(kind),

    read(archive, unit, context) {
      return recordsOf(archive, unit, context, new Known(context), sizes)
    },

    file: fileAt,
  }
}

/** Returns the unit that reads the messages of a file, or divides it. */
function bodyOf({ name, at, size }: DiscordFile, { read }: StepSizes): DiscordUnit {
  const file = { ...WHOLE_EXPORT, name, at, size }
  return size > read ? { ...file, kind: 'divide', section: WHOLE } : { ...file, kind: 'messages' }
}

/** Lists the next files, or adds the units that read them. */
async function* listFiles(
  archive: ImportArchive,
  { position }: DiscordUnit,
  context: ImportContext,
  known: Known,
  { listed }: StepSizes,
): AsyncGenerator<NeutralRecord> {
  const next = yield* survey(entriesOf(archive, position), listed, known, (entry) => {
    refuseEncrypted(entry)
    const { name, fault } = entry
    if (fault || name.endsWith('/') || NOISE.test(name)) return { fault }
    // Each step that opens one checks whether it is of a channel.
    return isJson(entry) ? { key: name, kinds: ['json'] } : { key: name }
  })
  if (next !== undefined) return context.add({ ...WHOLE_EXPORT, kind: 'survey', position: next })
  for (const name of await listsOf('json', known)) context.add({ ...WHOLE_EXPORT, kind: 'heads', name })
  context.add({ ...WHOLE_EXPORT, kind: 'then' })
}

function isJson({ name, fault, size }: ZipEntry): boolean {
  return fault === undefined && size > 0 && /\.json$/i.test(name) && !NOISE.test(name)
}

async function isExport(start: Promise<Uint8Array>): Promise<boolean> {
  return HEAD.test(new TextDecoder().decode(await start))
}

async function startOf(archive: ImportArchive, entry: ZipEntry): Promise<Uint8Array> {
  try {
    for await (const block of contentOf(archive, entry)) return block.subarray(0, FIRST_BYTES)
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
  }
  return new Uint8Array(0)
}

async function* recordsOf(
  archive: ImportArchive,
  unit: DiscordUnit,
  context: ImportContext,
  known: Known,
  sizes: StepSizes,
): AsyncGenerator<NeutralRecord> {
  switch (unit.kind) {
    case 'survey':
      yield* listFiles(archive, unit, context, known, sizes)
      return
    case 'heads':
      for (const { name, from, size } of await filesIn(unit.name, known))
        context.add({ ...WHOLE_EXPORT, kind: 'head', name, at: from, size })
      return
    case 'then':
      for (const name of await listsOf('json', known)) context.add({ ...WHOLE_EXPORT, kind: 'bodies', name })
      context.add({ ...WHOLE_EXPORT, kind: 'end' })
      return
    case 'bodies':
      for (const { name, from, size } of await filesIn(unit.name, known))
        context.add(bodyOf({ name, at: from, size }, sizes))
      context.state.added = true
      return
    case 'head':
      yield* headOf(archive, unit, context, known, sizes)
      return
    case 'divide':
      await divide(archive, unit, context, known, sizes)
      return
    case 'writers':
      await noteWriters(archive, unit, known)
      return
    case 'messages':
      yield* messagesOf(archive, unit, known)
      return
    default:
      if (context.state.isNamed !== true) {
        throw new ImportRefusedError(
          'The archive has no file of a channel. If it is of Discord, give the whole folder that DiscordChatExporter has made, as JSON.',
        )
      }
      // Channels come after all messages, which say who is in them: also after the units that were added since.
      if (context.state.added === true) {
        context.state.added = false
        context.add(unit)
        return
      }
      yield* ofChannels(known)
      yield* ofRoles(known)
  }
}

async function* itemsIn(
  archive: ImportArchive,
  at: number,
  section: JsonSection | null = null,
): AsyncGenerator<JsonItem> {
  try {
    yield* itemsOf(bytesOf(archive, at, section), section ?? undefined)
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
    yield { list: '', number: 0, fault: `the file ${error.message}` }
  }
}

/** Yields the bytes of a file, or of a section of it. A packed file is unpacked from its start. */
async function* bytesOf(
  archive: ImportArchive,
  at: number,
  section: JsonSection | null = null,
): AsyncGenerator<Uint8Array> {
  const { from, to } = section && !section.isLast ? section : { from: section?.from ?? 0, to: Infinity }
  if (at < 0) return yield* blocksOf(rangeOf(archive, from, Math.min(to, archive.size) - from))
  let passed = 0
  for await (const block of contentOf(archive, await entryAt(archive, at))) {
    const part = block.subarray(Math.max(from - passed, 0), Math.max(to - passed, 0))
    if (part.length > 0) yield part
    passed += block.length
    if (passed >= to) return
  }
}

/** Yields the bytes after a position as far as they can be read. The step that reads the last section reports the fault. */
async function* readableBytesOf(
  archive: ImportArchive,
  at: number,
  begin: JsonSection,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytesOf(archive, at, { ...begin, isLast: true })
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
  }
}

/** Names the source by the server that the file is of. */
async function* startIn(archive: ImportArchive, at: number, known: Known): AsyncGenerator<NeutralRecord> {
  for await (const { list, value } of itemsIn(archive, at, HEAD_OF_FILE)) {
    if (list !== 'guild') continue
    const guild = new Payload(value)
    await known.put('realm', 'guild', guild.text('id').slice(0, 60))
    yield {
      type: 'parley-import',
      version: 1,
      source: `discord:${guild.text('id').slice(0, 60) || 'unknown'}`,
    }
    if (guild.text('name') !== '') yield { type: 'organization', name: guild.text('name').slice(0, 1_000) }
    return
  }
  yield { type: 'parley-import', version: 1, source: 'discord:unknown' }
}

/** Notes the channel, and the writers of a direct conversation, since nothing else says who is in it. The first channel names the source. */
async function* headOf(
  archive: ImportArchive,
  unit: DiscordUnit,
  { state }: ImportContext,
  known: Known,
  sizes: StepSizes,
): AsyncGenerator<NeutralRecord> {
  if (!(await isChannelFile(archive, unit))) return
  if (state.isNamed !== true) yield* startIn(archive, unit.at, known)
  state.isNamed = true
  const conversation = await conversationIn(archive, unit.at, known)
  if (conversation?.place?.channel === '' && unit.size <= sizes.read) await noteWriters(archive, unit, known)
}

/** Whether the file is of a channel, rather than one that was attached to a message. */
async function isChannelFile(archive: ImportArchive, { at }: DiscordUnit): Promise<boolean> {
  return isExport(at < 0 ? archive.read(0, FIRST_BYTES) : startOf(archive, await entryAt(archive, at)))
}

/** Notes the writers of a direct conversation. */
async function noteWriters(
  archive: ImportArchive,
  { at, section }: DiscordUnit,
  known: Known,
): Promise<void> {
  const conversation = await conversationIn(archive, at, known)
  if (!conversation) return
  const lists = new IdLists(known)
  for await (const { list, value } of itemsIn(archive, at, section))
    if (list === 'messages') await lists.add(conversation.writers, new Payload(value).text('author', 'id'))
}

/** Divides a part of a large file into sections, each of which is read by itself, and adds what follows them. */
async function divide(
  archive: ImportArchive,
  unit: DiscordUnit,
  context: ImportContext,
  known: Known,
  sizes: StepSizes,
): Promise<void> {
  const begin = unit.section!
  if (unit.purpose === '' && !(await isChannelFile(archive, unit))) return
  const conversation = unit.purpose === '' ? await conversationIn(archive, unit.at, known) : undefined
  const purpose = unit.purpose || (conversation?.place?.channel === '' ? 'writers' : 'messages')
  const most = Math.max(sizes.divided, begin.from * DIVIDED)
  const bytes = readableBytesOf(archive, unit.at, begin)
  let last: JsonSection | undefined
  context.state.added = true
  for await (const section of sectionsAfter(begin, bytes, (from) => Math.max(sizes.read, from * GROWTH))) {
    if (last) context.add({ ...unit, kind: purpose, section: last })
    if (section.from - begin.from >= most) return context.add({ ...unit, purpose, section })
    last = section
  }
  context.add({ ...unit, kind: purpose, section: last! })
  if (purpose === 'writers') context.add({ ...unit, purpose: 'messages', section: WHOLE })
}

interface Conversation {
  readonly place: DiscordPlace | undefined
  /** The name of the list of its writers. */
  readonly writers: string
}

/** Returns the conversation that a file names before its messages. */
async function conversationIn(
  archive: ImportArchive,
  at: number,
  known: Known,
): Promise<Conversation | undefined> {
  for await (const { list, value } of itemsIn(archive, at, HEAD_OF_FILE)) {
    if (list === 'messages') return undefined
    if (list !== 'channel') continue
    const channel = new Payload(value)
    const place = await placeOf(channel, known)
    return { place, writers: `writers ${place?.channel || channel.text('id')}` }
  }
  return undefined
}

async function* messagesOf(
  archive: ImportArchive,
  unit: DiscordUnit,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if (!unit.section && !(await isChannelFile(archive, unit))) return
  const messages = new DiscordMessages(known, fileFinder(unit.name, known))
  const { place, writers } = (await conversationIn(archive, unit.at, known)) ?? {}
  yield* ofItems(itemsIn(archive, unit.at, unit.section), async function* ({ list, value }) {
    if (list !== 'messages') return
    if (place && writers !== undefined) yield* messages.of(value, place, writers)
    else yield { type: 'problem', kind: 'message without a place' }
  })
}

/** Finds media in the archive, by paths relative to the file, or at their addresses. */
function fileFinder(name: string, known: Known): FindFile {
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  return async (address) => {
    if (/^https:\/\/\S{1,3000}$/.test(address)) return { url: address }
    if (address === '' || address.length > 900 || /^[a-z]+:/i.test(address)) return undefined
    const at =
      (await known.get('upload', folder + address)) ??
      (await known.get('upload', folder + decodedPath(address)))
    return at === undefined ? undefined : { path: at }
  }
}

import { Payload } from '../integrations/payload.ts'
import { type DiscordPlace, type FindFile, ofChannels, ofRoles, placeOf } from './discord/channels.ts'
import { DiscordMessages } from './discord/messages.ts'
import { Lists } from './discord/text.ts'
import {
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  Known,
} from './import-reader.ts'
import { GROWTH, itemsOf, type JsonItem, type JsonSection, sectionsAfter, WHOLE } from './json-items.ts'
import { type NeutralRecord, placeProblems } from './neutral.ts'
import { contentOf, entriesOf, entryAt, fileAt, isZip, pathOf, type ZipEntry, ZipEntryError } from './zip.ts'

const FIRST_BYTES = 2_048
const BLOCK_BYTES = 512 * 1024
const MEBIBYTE = 1024 * 1024
/** Part of what lies before it that a step divides at least: what is packed has to be unpacked from its beginning for each step. */
const DIVIDED = 1 / 4
const HEAD = /^\ufeff?\s*\{\s*"guild"\s*:\s*\{/
const NOISE = /(?:^|\/)(?:__MACOSX\/|\._[^/]*$)/
/** Files that are looked at to recognise an archive. */
const MAX_LOOKED_AT = 20

/** Bytes of JSON that one step reads, and that one divides; where they lie far from the beginning, they are more. */
interface StepSizes {
  readonly read: number
  readonly divided: number
}

/** What sections of a large file are read for: those of direct conversations for their people first. */
type Purpose = 'writers' | 'messages'

interface DiscordUnit extends ImportUnit {
  readonly kind: 'start' | 'files' | 'head' | 'divide' | Purpose | 'end' | 'left out'
  /** Position of the file's record in the directory of the ZIP; -1 for a file that is the archive itself. */
  readonly at: number
  readonly detail: string
  /** Bytes of the file. */
  readonly size: number
  /** The part of a large file that is read by itself, or from which on it is divided. */
  readonly section: JsonSection | null
}

/** JSON of DiscordChatExporter: one file, or a ZIP of one for each channel, with or without the media. */
export const discordReader = discordReaderOf({ read: 16 * MEBIBYTE, divided: 64 * MEBIBYTE })

/** Large files are divided in steps, which are units too. */
export function discordReaderOf(sizes: StepSizes): ImportReader<DiscordUnit> {
  return {
    name: 'discord',
    displayName: 'Discord (JSON of DiscordChatExporter)',

    async recognises(archive) {
      if (!(await isZip(archive))) return isExport(archive.read(0, FIRST_BYTES))
      let looked = 0
      for await (const entry of entriesOf(archive)) {
        if (!isJson(entry)) continue
        if (await isExport(startOf(archive, entry))) return true
        looked += 1
        if (looked === MAX_LOOKED_AT) return false
      }
      return false
    },

    async *units(archive) {
      const files: DiscordUnit[] = []
      const leftOut: DiscordUnit[] = []
      const taken = new Set<string>()
      if (!(await isZip(archive)))
        files.push({
          name: archive.name,
          kind: 'head',
          at: -1,
          detail: '',
          size: archive.size,
          section: null,
        })
      else
        for await (const entry of entriesOf(archive)) {
          if (entry.isEncrypted) {
            throw new ImportRefusedError(
              'This ZIP archive is encrypted. Unpack it, and pack it again without a password.',
            )
          }
          const fault = entry.fault ?? (taken.has(entry.name) ? 'is there twice' : undefined)
          taken.add(entry.name)
          const place = { name: entry.name.slice(0, 1_000), at: entry.at, size: entry.size }
          const unit = { ...place, detail: fault ?? '', section: null }
          if (fault) leftOut.push({ ...unit, kind: 'left out' })
          // Of the others it is seen in steps of their own whether they are of a channel.
          else if (isJson(entry) && (files.length > 0 || (await isExport(startOf(archive, entry)))))
            files.push({ ...unit, kind: 'head' })
        }
      const whole = { name: 'export', at: -1, detail: '', size: 0, section: null }
      yield { ...whole, kind: 'start', detail: files[0] ? String(files[0].at) : '' }
      yield { ...whole, kind: 'files' }
      yield* files
      for (const unit of files)
        yield unit.size > sizes.read
          ? { ...unit, kind: 'divide', section: WHOLE }
          : { ...unit, kind: 'messages' }
      yield* leftOut
      yield { ...whole, kind: 'end' }
    },

    read(archive, unit, context) {
      return placeProblems(
        recordsOf(archive, unit, context, new Known(context), sizes),
        unit.name === 'export' ? undefined : unit.name,
      )
    },

    file: fileAt,
  }
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
    case 'start':
      yield* startIn(archive, Number(unit.detail), known)
      return
    case 'files':
      if (await isZip(archive))
        for await (const entry of entriesOf(archive)) {
          if (entry.fault || entry.name.endsWith('/') || NOISE.test(entry.name) || entry.name.length > 900)
            continue
          if ((await known.get('upload', entry.name)) === undefined)
            await known.put('upload', entry.name, pathOf(entry))
        }
      return
    case 'head':
      await readHead(archive, unit, known, sizes)
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
    case 'left out':
      yield { type: 'problem', kind: 'file of the archive', detail: `${unit.name} ${unit.detail}` }
      return
    default:
      // Channels come when all who wrote in them are known: behind what was added since this was.
      if (context.state.divided === true) {
        context.state.divided = false
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

/** Yields the bytes of a file, or of a section of it. What is packed is unpacked from its beginning, but not read. */
async function* bytesOf(
  archive: ImportArchive,
  at: number,
  section: JsonSection | null = null,
): AsyncGenerator<Uint8Array> {
  const { from, to } = section && !section.isLast ? section : { from: section?.from ?? 0, to: Infinity }
  if (at < 0) {
    const end = Math.min(to, archive.size)
    for (let start = from; start < end; start += BLOCK_BYTES)
      yield await archive.read(start, Math.min(start + BLOCK_BYTES, end))
    return
  }
  let passed = 0
  for await (const block of contentOf(archive, await entryAt(archive, at))) {
    const part = block.subarray(Math.max(from - passed, 0), Math.max(to - passed, 0))
    if (part.length > 0) yield part
    passed += block.length
    if (passed >= to) return
  }
}

/** Yields the bytes from a place on as far as they can be read. What is wrong with the rest, reading the last section says. */
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

async function* startIn(archive: ImportArchive, at: number, known: Known): AsyncGenerator<NeutralRecord> {
  for await (const { list, value } of itemsIn(archive, at)) {
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

/** Notes the channel; of a direct conversation also who writes in it, since nothing else says who is in it. */
async function readHead(
  archive: ImportArchive,
  unit: DiscordUnit,
  known: Known,
  sizes: StepSizes,
): Promise<void> {
  if (!(await isChannelFile(archive, unit))) return
  const conversation = await conversationIn(archive, unit.at, known)
  if (conversation?.place?.channel === '' && unit.size <= sizes.read) await noteWriters(archive, unit, known)
}

/** Whether it is of a channel: another may be one that people attached to a message. */
async function isChannelFile(archive: ImportArchive, { at }: DiscordUnit): Promise<boolean> {
  return isExport(at < 0 ? archive.read(0, FIRST_BYTES) : startOf(archive, await entryAt(archive, at)))
}

/** Notes who writes in a direct conversation. */
async function noteWriters(
  archive: ImportArchive,
  { at, section }: DiscordUnit,
  known: Known,
): Promise<void> {
  const conversation = await conversationIn(archive, at, known)
  if (!conversation) return
  const lists = new Lists(known)
  for await (const { list, value } of itemsIn(archive, at, section))
    if (list === 'messages') await lists.add(conversation.writers, new Payload(value).text('author', 'id'))
}

/** Divides a part of a large file into sections, each of which is read by itself, and adds what follows. */
async function divide(
  archive: ImportArchive,
  unit: DiscordUnit,
  context: ImportContext,
  known: Known,
  sizes: StepSizes,
): Promise<void> {
  const begin = unit.section!
  if (unit.detail === '' && !(await isChannelFile(archive, unit))) return
  const conversation = unit.detail === '' ? await conversationIn(archive, unit.at, known) : undefined
  const purpose: Purpose =
    (unit.detail as Purpose | '') || (conversation?.place?.channel === '' ? 'writers' : 'messages')
  const most = Math.max(sizes.divided, begin.from * DIVIDED)
  const bytes = readableBytesOf(archive, unit.at, begin)
  let last: JsonSection | undefined
  context.state.divided = true
  for await (const section of sectionsAfter(begin, bytes, (from) => Math.max(sizes.read, from * GROWTH))) {
    if (last) context.add({ ...unit, kind: purpose, section: last })
    if (section.from - begin.from >= most) return context.add({ ...unit, detail: purpose, section })
    last = section
  }
  context.add({ ...unit, kind: purpose, section: last! })
  if (purpose === 'writers') context.add({ ...unit, detail: 'messages', section: WHOLE })
}

interface Conversation {
  readonly place: DiscordPlace | undefined
  /** The list of those who write in it. */
  readonly writers: string
}

async function conversationOf(value: unknown, known: Known): Promise<Conversation> {
  const channel = new Payload(value)
  const place = await placeOf(channel, known)
  return { place, writers: `writers ${place?.channel || channel.text('id')}` }
}

/** Returns the conversation that a file names before its messages: later sections do not say it again. */
async function conversationIn(
  archive: ImportArchive,
  at: number,
  known: Known,
): Promise<Conversation | undefined> {
  for await (const { list, value } of itemsIn(archive, at)) {
    if (list === 'channel') return conversationOf(value, known)
    if (list === 'messages') return undefined
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
  let conversation = (unit.section?.from ?? 0) > 0 ? await conversationIn(archive, unit.at, known) : undefined
  for await (const { list, number, value, fault } of itemsIn(archive, unit.at, unit.section)) {
    if (fault !== undefined) {
      yield { type: 'problem', kind: 'not readable', detail: fault, entry: number }
    } else if (list === 'channel') {
      conversation = await conversationOf(value, known)
    } else if (list === 'messages') {
      const { place, writers } = conversation ?? {}
      if (!place || writers === undefined)
        yield { type: 'problem', kind: 'message without a place', entry: number }
      else
        for await (const record of messages.of(value, place, writers))
          yield record.type === 'problem' ? { ...record, entry: number } : record
    }
  }
}

/** Media are beside the file in the archive, by paths from there; or at their addresses. */
function fileFinder(name: string, known: Known): FindFile {
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  return async (address) => {
    if (/^https:\/\/\S{1,3000}$/.test(address)) return { url: address }
    if (address === '' || address.length > 900 || /^[a-z]+:/i.test(address)) return undefined
    const at =
      (await known.get('upload', folder + address)) ?? (await known.get('upload', folder + decoded(address)))
    return at === undefined ? undefined : { path: at }
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

import { Payload } from '../integrations/payload.ts'
import {
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
} from './import-reader.ts'
import { parsedItem } from './json-items.ts'
import { Known } from './known.ts'
import { Head } from './mattermost/people.ts'
import { ofPost } from './mattermost/posts.ts'
import type { NeutralRecord } from './neutral.ts'
import { linesOf } from './neutral-reader.ts'
import { placed, unreadable } from './problems.ts'
import { LISTED_AT_ONCE, survey } from './survey.ts'
import {
  bytesOf,
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

/** The topic of posts without replies, unless the owner chooses another. */
const MAIN_TOPIC = 'imported from Mattermost'
/** Bytes of the lines of one unit. The file is unpacked from its start for each unit, so smaller units would cost more than they save. */
const UNIT_BYTES = 64 * 1024 * 1024
/** Bytes of the first lines, which name the kind of file and the team. */
const START_BYTES = 64 * 1024
/** UTF-16 units of a text. */
const MAX_TEXT = 200_000

interface MattermostUnit extends ImportUnit {
  /** `survey` lists files of the archive, and adds the others. */
  readonly kind: 'survey' | 'start' | 'head' | 'posts'
  /** Position of the file's record in the directory of the ZIP. */
  readonly at: number
  readonly from: number
  readonly to: number
  /** Where `survey` continues. */
  readonly position: DirectoryPosition | null
}

const SURVEY = { name: 'export', kind: 'survey', at: 0, from: 0, to: 0, position: null } as const

/** Bulk exports of Mattermost: a ZIP with lines of JSON, and with `data/`. */
export const mattermostReader = mattermostReaderOf(LISTED_AT_ONCE)

/** `listed`: entries that one step lists. */
export function mattermostReaderOf(listed: number): ImportReader<MattermostUnit> {
  return {
    name: 'mattermost',
    displayName: 'Mattermost (ZIP of a bulk export)',

    async recognises(archive) {
      if (!(await isZip(archive))) return false
      let [looked, hasData] = [0, false]
      for await (const entry of firstEntriesOf(archive)) {
        if (isLines(entry)) {
          const [first = ''] = (await startOf(archive, entry)).split('\n', 1)
          return /"type"\s*:\s*"version"/.test(first)
        }
        looked += 1
        hasData ||= pathInData(entry.name) !== undefined
      }
      // The lines of a large export may come after its data.
      return hasData && looked === LISTED_AT_ONCE
    },

    async *units() {
      yield SURVEY
    },

    adds: ({ kind }) => kind === 'survey',

    async *read(archive, unit, context) {
      const known = new Known(context)
      if (unit.kind === 'survey') yield* listFiles(archive, unit, listed, context, known)
      else if (unit.kind === 'start') yield await headOf(archive, unit)
      else yield* linesOfUnit(archive, unit, context, known)
    },

    file: fileAt,
  }
}

/** Lists the next files, or adds the units of the file of lines. */
async function* listFiles(
  archive: ImportArchive,
  { position }: MattermostUnit,
  listed: number,
  context: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const { state } = context
  const next = yield* survey(entriesOf(archive, position), listed, known, (entry) => {
    if (state.lines === undefined) refuseEncrypted(entry)
    if (state.lines === undefined && isLines(entry)) {
      state.lines = { name: entry.name, at: entry.from, size: entry.size }
      return undefined
    }
    const key = entry.name.endsWith('/') ? undefined : pathInData(entry.name)
    return key === undefined ? undefined : { key, fault: entry.fault }
  })
  if (next !== undefined) return context.add({ ...SURVEY, position: next })
  if (state.lines === undefined) {
    throw new ImportRefusedError(
      'The archive has no file of lines (".jsonl"). Give the whole export of Mattermost, as it was made.',
    )
  }
  const { name, at, size } = state.lines as { name: string; at: number; size: number }
  const lines = { ...SURVEY, name, at }
  context.add({ ...lines, kind: 'start' })
  context.add({ ...lines, kind: 'head', to: size })
  for (let from = 0; from < size; from += UNIT_BYTES)
    context.add({ ...lines, kind: 'posts', from, to: Math.min(from + UNIT_BYTES, size) })
}

/** Names the place by its first team, whose name is part of its addresses: an export does not name its server. */
async function headOf(archive: ImportArchive, { at }: MattermostUnit): Promise<NeutralRecord> {
  let team = ''
  for (const text of (await startOf(archive, await entryAt(archive, at))).split('\n')) {
    const line = lineOf(text)
    if (typeof line === 'string' || line.text('type') !== 'team') continue
    team = line.text('team', 'name').toLowerCase().slice(0, 100)
    if (team !== '') break
  }
  const source = team === '' ? 'mattermost' : `mattermost:${team}`
  return { type: 'parley-import', version: 1, source, topic: MAIN_TOPIC }
}

/** Whether an entry is the file of lines. Attachments in `data` may have the same extension. */
function isLines({ name, fault }: ZipEntry): boolean {
  return (
    fault === undefined &&
    /^(?:[^/]+\/)?[^/]+\.jsonl?$/.test(name) &&
    !/(?:^|\/)(?:data|__MACOSX)\//.test(name)
  )
}

async function startOf(archive: ImportArchive, entry: ZipEntry): Promise<string> {
  try {
    return new TextDecoder().decode(
      await (await bytesOf(archive, entry)).read(0, Math.min(START_BYTES, entry.size)),
    )
  } catch (error) {
    if (error instanceof ZipEntryError) return ''
    throw error
  }
}

function pathInData(name: string): string | undefined {
  return /(?:^|\/)data\/(.+)$/.exec(name)?.[1]
}

async function* linesOfUnit(
  archive: ImportArchive,
  unit: MattermostUnit,
  context: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const head = new Head(known)
  let number = unit.kind === 'posts' ? Number(context.state.line ?? 0) : 0
  try {
    const bytes = await bytesOf(archive, await entryAt(archive, unit.at))
    for await (const text of linesOf(bytes, unit)) {
      number += 1
      const line = text === 'too long' ? 'has too many bytes' : lineOf(text)
      if (typeof line === 'string') {
        if (unit.kind === 'posts' && line !== '') yield unreadable(line, { line: number })
        continue
      }
      const kind = line.text('type')
      const isPost = kind === 'post' || kind === 'direct_post'
      // People and channels come before all posts.
      if (unit.kind === 'head' && isPost) break
      const records =
        unit.kind === 'head'
          ? head.take(kind, line.at(kind))
          : isPost
            ? ofPost(line.at(kind), known)
            : undefined
      if (records) yield* placed(records, { line: number })
      if (unit.kind === 'posts' && !isPost && !KNOWN_KINDS.has(kind))
        yield { type: 'problem', kind: `left out: ${kind}`, line: number }
    }
    if (unit.kind === 'posts' && unit.to === bytes.size) await bytes.end()
  } catch (error) {
    if (!(error instanceof ZipEntryError)) throw error
    yield unreadable(`the file ${error.message}`, { line: number })
  }
  if (unit.kind === 'head') yield* head.end()
  else context.state.line = number
}

const KNOWN_KINDS = new Set('version info scheme role emoji team channel user bot direct_channel'.split(' '))

/** Returns a line, or the reason why it cannot be read; '' for an empty one. */
function lineOf(text: string): Payload | string {
  const json = text.trim()
  if (json === '') return ''
  const { value, fault } = parsedItem(json)
  return fault ?? new Payload(value, MAX_TEXT)
}

import { isJsonDeeperThan, parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { ImportArchive, ImportContext, ImportReader, ImportUnit } from './import-reader.ts'
import { Known } from './known.ts'
import { Head } from './mattermost/people.ts'
import { ofPost } from './mattermost/posts.ts'
import type { NeutralRecord } from './neutral.ts'
import { linesOf } from './neutral-reader.ts'
import { placed, unreadable } from './problems.ts'
import {
  bytesOf,
  entriesOf,
  entryAt,
  fileAt,
  isZip,
  noteFiles,
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
/** UTF-16 units of a text, and levels of lists and objects in a line. */
const [MAX_TEXT, MAX_LEVELS] = [200_000, 60] as const

interface MattermostUnit extends ImportUnit {
  readonly kind: 'start' | 'files' | 'head' | 'posts'
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Bulk exports of Mattermost: a ZIP with lines of JSON, and with `data/`. */
export const mattermostReader: ImportReader<MattermostUnit> = {
  name: 'mattermost',
  displayName: 'Mattermost (ZIP of a bulk export)',

  async recognises(archive) {
    if (!(await isZip(archive))) return false
    for await (const entry of entriesOf(archive)) {
      if (!isLines(entry)) continue
      const [first = ''] = (await startOf(archive, entry)).split('\n', 1)
      return /"type"\s*:\s*"version"/.test(first)
    }
    return false
  },

  async *units(archive) {
    const whole = { name: 'export', at: -1, from: 0, to: 0 } as const
    yield { ...whole, kind: 'start' }
    yield { ...whole, name: 'data', kind: 'files' }
    for await (const entry of entriesOf(archive)) {
      refuseEncrypted(entry)
      if (!isLines(entry)) continue
      yield { name: entry.name, kind: 'head', at: entry.at, from: 0, to: entry.size }
      for (let from = 0; from < entry.size; from += UNIT_BYTES) {
        yield {
          name: entry.name,
          kind: 'posts',
          at: entry.at,
          from,
          to: Math.min(from + UNIT_BYTES, entry.size),
        }
      }
      return
    }
  },

  async *read(archive, unit, context) {
    const known = new Known(context)
    if (unit.kind === 'start') yield await headOf(archive)
    else if (unit.kind === 'files') yield* noteFiles(archive, pathInData, known)
    else yield* linesOfUnit(archive, unit, context, known)
  },

  file: fileAt,
}

/** Names the place by its first team, whose name is part of its addresses: an export does not name its server. */
async function headOf(archive: ImportArchive): Promise<NeutralRecord> {
  let team = ''
  for await (const entry of entriesOf(archive)) {
    if (!isLines(entry)) continue
    for (const text of (await startOf(archive, entry)).split('\n')) {
      const line = lineOf(text)
      if (typeof line === 'string' || line.text('type') !== 'team') continue
      team = line.text('team', 'name').toLowerCase().slice(0, 100)
      if (team !== '') break
    }
    break
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
  if (isJsonDeeperThan(MAX_LEVELS, json)) return `has more than ${MAX_LEVELS} levels`
  try {
    return new Payload(parseJson(json), MAX_TEXT)
  } catch {
    return `is no JSON: ${json.slice(0, 100)}`
  }
}

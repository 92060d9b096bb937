import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import {
  type Bytes,
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  Known,
  type Plain,
} from './import-reader.ts'
import { itemsOf, type JsonItem, type JsonSection, sectionsAfter, WHOLE } from './json-items.ts'
import { type NeutralRecord, placeProblems } from './neutral.ts'
import { noteMarks, ofMessages } from './public-server/messages.ts'
import { isIgnored, noteReactions, REACTIONS, Realm } from './public-server/realm.ts'
import { blocksOf, fileInTar, filesOfTar, isTar, pathInTar, rangeOf, refuseManyFiles } from './tar.ts'

/** Units of a text that are read. */
const MAX_TEXT = 1_000_000
/** Entries by which an archive is recognised: its files of JSON may be the last ones. */
const MAX_LOOKED_AT = 2_000
const MEBIBYTE = 1024 * 1024
/** Bytes of a file that are looked at together while it is divided. */
const BLOCK_BYTES = MEBIBYTE / 2

/** What one step does at most: bytes of JSON that it reads, bytes that it divides, and files that it lists. */
export interface StepSizes {
  readonly read: number
  readonly divided: number
  readonly listed: number
}

type Read = 'realm' | 'avatars' | 'emoji' | 'attachments' | 'reactions' | 'marks' | 'messages'

interface TarUnit extends ImportUnit {
  /** `survey`: lists files of the archive; `next`, `listed`: add units of what was listed. */
  readonly kind: 'survey' | 'next' | 'listed' | 'divide' | Read
  /** What becomes of the sections of a file that is divided. */
  readonly as: Read | ''
  readonly from: number
  readonly size: number
  /** The part of a large file that is read by itself, or from which on it is divided. */
  readonly section: JsonSection | null
}

const WITHOUT_FILE = { name: 'export', as: '', from: 0, size: 0, section: null } as const

/** Exports of the public server, as an unpacked tar archive. */
export const publicServerReader = publicServerReaderOf({
  read: 16 * MEBIBYTE,
  divided: 64 * MEBIBYTE,
  listed: 10_000,
})

/** What is large is listed and divided in steps, which are units too. */
export function publicServerReaderOf(sizes: StepSizes): ImportReader<TarUnit> {
  return {
    name: 'public_server',
    displayName: 'Zulip (export of an organization)',

    async recognises(archive) {
      if (!(await isTar(archive))) return false
      let looked = 0
      for await (const { name } of filesOfTar(archive)) {
        looked += 1
        if (isOfExport(name)) return true
        if (looked === MAX_LOOKED_AT) return false
      }
      return false
    },

    async *units() {
      yield { ...WITHOUT_FILE, kind: 'survey' }
    },

    read(archive, unit, context) {
      return placeProblems(
        recordsOf(archive, unit, context, new Known(context), sizes),
        unit.kind !== 'survey' && unit.size > 0 ? unit.name : undefined,
      )
    },

    file: fileInTar,
  }
}

async function* recordsOf(
  archive: ImportArchive,
  unit: TarUnit,
  context: ImportContext,
  known: Known,
  sizes: StepSizes,
): AsyncGenerator<NeutralRecord> {
  const items = () => itemsOf(bytesOf(archive, unit, unit.section), unit.section ?? undefined)
  switch (unit.kind) {
    case 'survey': {
      const from = yield* survey(archive, { begin: unit.from, most: sizes.listed }, context, known)
      if (from !== undefined) return context.add({ ...WITHOUT_FILE, kind: 'survey', from })
      if (context.state.realm === undefined) {
        throw new ImportRefusedError(
          'The archive has no "realm.json". Give the whole export, as the server has made it.',
        )
      }
      return context.add({ ...WITHOUT_FILE, kind: 'next' })
    }
    case 'next':
      return addNext(context, sizes)
    case 'listed':
      for (const file of new Payload(parseJson((await known.get('list', unit.name)) ?? '[]')).list())
        addFile(context, sizes, 'messages', file)
      return
    case 'divide':
      return divide(archive, unit, context, sizes)
    case 'marks':
      yield* noteMarks(items(), known)
      return
    case 'reactions':
      yield* noteReactions(items(), known)
      return
    case 'messages':
      yield* ofMessages(items(), known, unit.section !== null)
      return
    case 'realm':
      yield* ofRealm(archive, unit, context, known)
      return
    default:
      for await (const item of items()) yield* rowOf(unit.kind, item, known)
  }
}

/** Bytes of a file, or of a section of it. */
function bytesOf(
  archive: ImportArchive,
  { from, size }: Pick<TarUnit, 'from' | 'size'>,
  section: JsonSection | null,
): AsyncGenerator<Uint8Array> {
  const begin = section?.from ?? 0
  const end = section && !section.isLast ? section.to : size
  return blocksOf(rangeOf(archive, from + begin, end - begin))
}

/** Adds the next of the files of which there is one each; after the last one, those with messages. */
function addNext(context: ImportContext, sizes: StepSizes): void {
  const at = Number(context.state.step ?? 0)
  context.state.step = at + 1
  const [, kind] = ORDER[at] ?? []
  if (kind) {
    const file = context.state[kind]
    const isDivided = file !== undefined && addFile(context, sizes, kind, new Payload(file))
    // What is divided goes on itself, at its end.
    if (!isDivided) context.add({ ...WITHOUT_FILE, kind: 'next' })
    return
  }
  for (let list = 0; list < Number(context.state.lists ?? 0); list += 1)
    context.add({ ...WITHOUT_FILE, kind: 'listed', name: `messages ${list}` })
}

/** Adds a file: a large one is divided, and what people have done with messages is read before those. Returns whether it is. */
function addFile(context: ImportContext, sizes: StepSizes, kind: Read, file: Payload): boolean {
  const [name, from, size] = [file.text(0), file.number(1) ?? 0, file.number(2) ?? 0]
  const whole = { name, from, size }
  const as = kind === 'messages' ? 'marks' : kind
  const isDivided = size > sizes.read
  if (isDivided) context.add({ ...whole, kind: 'divide', as, section: WHOLE })
  else context.add({ ...whole, kind, as: '', section: null })
  return isDivided
}

/** Divides a part of a large file into sections, each of which is read by itself, and adds what follows. */
async function divide(
  archive: ImportArchive,
  unit: TarUnit,
  context: ImportContext,
  sizes: StepSizes,
): Promise<void> {
  const { section: begin, as, name, from, size } = unit
  const rest = rangeOf(archive, from + begin!.from, size - begin!.from)
  const bytes = blocksOf(rest, Math.min(BLOCK_BYTES, sizes.read))
  let last: JsonSection | undefined
  for await (const section of sectionsAfter(begin!, bytes, () => sizes.read)) {
    if (last) addSection(context, unit, last, section.list)
    if (section.from - begin!.from >= sizes.divided) return context.add({ ...unit, section })
    last = section
  }
  addSection(context, unit, last!, undefined)
  if (as === 'marks') return context.add({ ...unit, as: 'messages', section: WHOLE })
  // The other sections of the organization are read together, since their rows refer to each other.
  if (as === 'realm') context.add({ name, from, size, kind: 'realm', as: '', section: WHOLE })
  if (as !== 'messages') context.add({ ...WITHOUT_FILE, kind: 'next' })
}

/** `next`: the list in which the section ends, where that is known. */
function addSection(
  context: ImportContext,
  { name, as, from, size }: TarUnit,
  section: JsonSection,
  next: string | undefined,
): void {
  const list = section.list === next ? next : undefined
  if (as === 'realm') {
    if (list === REACTIONS) context.add({ name, from, size, kind: 'reactions', as: '', section })
    else if (list === undefined || !isIgnored(list))
      context.state.sections = [...((context.state.sections ?? []) as JsonSection[]), section]
    return
  }
  const isOther =
    (as === 'marks' && list === 'zerver_message') || (as === 'messages' && list === 'zerver_usermessage')
  if (!isOther) context.add({ name, from, size, kind: as as Read, as: '', section })
}

/** Reads the organization: as a whole, or those sections of it that are not only reactions. */
async function* ofRealm(
  archive: ImportArchive,
  unit: TarUnit,
  context: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const realm = new Realm(known)
  const sections = unit.section ? (context.state.sections as JsonSection[]) : [null]
  delete context.state.sections
  let isNamed = false
  for (const section of sections) {
    for await (const item of itemsOf(bytesOf(archive, unit, section), section ?? undefined)) {
      const { list, number, value, fault } = item
      if (fault !== undefined) {
        yield unreadable(number, fault)
        continue
      }
      const row = new Payload(value, MAX_TEXT)
      if (list === 'zerver_realm' && !isNamed) {
        isNamed = true
        yield sourceOf(row.firstText('uuid', 'string_id').slice(0, 100) || 'root')
      }
      yield* realm.take(list, row, number)
    }
  }
  if (!isNamed) yield sourceOf('unknown')
  yield* realm.end()
}

/** The number of an organization that is unique everywhere, else its name in addresses: it tells a second export of it from one of another. */
function sourceOf(realm: string): NeutralRecord {
  return { type: 'parley-import', version: 1, source: `public-server:${realm}` }
}

function unreadable(entry: number, detail: string): NeutralRecord {
  return { type: 'problem', kind: 'not readable', detail, entry }
}

async function* rowOf(
  kind: Read,
  { list, number, value, fault }: JsonItem,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if (fault !== undefined) return yield unreadable(number, fault)
  const row = new Payload(value, MAX_TEXT)
  if (kind === 'avatars') {
    const lack = ['user_profile_id', 'path'].find((name) => row.text(name) === '')
    if (lack !== undefined) return yield badRow(`picture without ${lack}`, number)
    const at = await known.get('upload', `avatars/${row.text('path')}`)
    if (at !== undefined && !/-medium\.png$|\.original$/.test(row.text('path')))
      await known.put('avatar', row.text('user_profile_id'), at)
  } else if (kind === 'emoji') yield* placed(emojiOf(row, known), number)
  else if (list === 'zerver_attachment') yield* placed(attachmentOf(row, known), number)
}

function badRow(detail: string, entry: number): NeutralRecord {
  return { type: 'problem', kind: 'bad row', detail, entry }
}

async function* placed(records: AsyncIterable<NeutralRecord>, entry: number): AsyncGenerator<NeutralRecord> {
  for await (const record of records) yield record.type === 'problem' ? { ...record, entry } : record
}

async function* emojiOf(row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const name = row.text('name')
  const path = row.text('path')
  if (name === '' || path === '') return yield { type: 'problem', kind: 'emoji without a name or a picture' }
  const at = await known.get('upload', `emoji/${path}`)
  if (path.endsWith('.original') || (await known.get('emoji', name)) !== undefined) return
  if (at === undefined)
    return yield { type: 'problem', kind: 'file is not in the archive', detail: `emoji/${path}` }
  await known.put('emoji', name, 'made')
  const id = `emoji:${name}`.slice(0, 200)
  yield { type: 'file', id, name: path.split('/').at(-1)!, path: at }
  yield { type: 'emoji', id: name.slice(0, 200), name, image: id, deactivated: row.isTrue('deactivated') }
}

async function* attachmentOf(row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const id = row.text('path_id')
  const at = id === '' || id.length > 200 ? undefined : await known.get('upload', `uploads/${id}`)
  if (at === undefined) return yield { type: 'problem', kind: 'file is not in the archive', detail: id }
  await known.put('file', id, 'made')
  const created = row.number('create_time')
  yield {
    type: 'file',
    id,
    name: row.text('file_name') || 'file',
    path: at,
    content_type: row.text('content_type'),
    ...(row.text('owner') !== '' && { owner: row.text('owner') }),
    ...(created !== undefined && created > 0 && { created_ms: created * 1_000 }),
  }
}

// Lists the files of an export of the public server, a part of the archive at a time.

/** Characters of a list of files with messages: one value of the store. */
const LIST_LENGTH = 50_000
/** Files of which there is one each, in the order in which they are read. */
const ORDER = [
  ['avatars/records.json', 'avatars'],
  ['emoji/records.json', 'emoji'],
  ['realm.json', 'realm'],
  ['attachment.json', 'attachments'],
] as const
const FOLDERS = /^(?:uploads|avatars|emoji|realm_icons)\//
const MESSAGES = /^messages-\d+\.json$/

/** Whether an archive with this file is an export. */
function isOfExport(name: string): boolean {
  if (name.startsWith('export/')) return false
  const path = inTop(name)
  return (
    FOLDERS.test(path) || MESSAGES.test(path) || /^(?:realm|attachment|migration_status)\.json$/.test(path)
  )
}

/** Notes where files are, from a place of the archive on. Returns where to go on; undefined at the end. */
async function* survey(
  archive: Bytes,
  { begin, most }: { readonly begin: number; readonly most: number },
  { state }: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord, number | undefined> {
  const messages: string[] = []
  let [count, length] = [0, 0]
  let next: number | undefined
  for await (const entry of filesOfTar(archive, begin)) {
    count += 1
    const path = inTop(entry.name)
    const kind = MESSAGES.test(path) ? 'messages' : ORDER.find(([file]) => file === path)?.[1]
    if (kind !== undefined || (FOLDERS.test(path) && !path.endsWith('records.json'))) {
      if ((await known.get('upload', path)) !== undefined)
        yield { type: 'problem', kind: 'file of the archive', detail: `${entry.name} is there twice` }
      else {
        await known.put('upload', path, pathInTar(entry))
        const file = [entry.name, entry.from, entry.size]
        if (kind === 'messages') messages.push(JSON.stringify(file))
        else if (kind) state[kind] = file
        length += kind === 'messages' ? messages.at(-1)!.length : 0
      }
    }
    if (count < most && length <= LIST_LENGTH) continue
    next = entry.end
    break
  }
  if (messages.length > 0) {
    const list = Number(state.lists ?? 0)
    await known.put('list', `messages ${list}`, `[${messages.join()}]`)
    state.lists = list + 1
  }
  const entries = Number(state.entries ?? 0) + count
  refuseManyFiles(entries)
  state.entries = entries satisfies Plain
  return next
}

/** Returns a path below the one folder that all of an export is in. */
function inTop(name: string): string {
  const path = name.replace(/^\.\//, '')
  return FOLDERS.test(path) || !path.includes('/') ? path : path.slice(path.indexOf('/') + 1)
}

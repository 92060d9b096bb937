import { Payload } from '../integrations/payload.ts'
import {
  blocksOf,
  type ImportArchive,
  type ImportContext,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
  rangeOf,
} from './import-reader.ts'
import { itemsOf, type JsonItem, type JsonSection, sectionsAfter, WHOLE } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { ofItems } from './problems.ts'
import { noteMarks, ofMessages } from './public-server/messages.ts'
import { isIgnored, noteReactions, REACTIONS, Realm } from './public-server/realm.ts'
import { ofUpload } from './server-texts.ts'
import { filesIn, filesOf, LISTED_AT_ONCE, listsOf } from './survey.ts'
import { fileInTar, isTarWith, surveyTar, type TarEntry } from './tar.ts'

/** UTF-16 units of a text that are read. */
const MAX_TEXT = 1_000_000
const MEBIBYTE = 1024 * 1024
/** Entries among which an archive is recognised: nearly each file of an export tells it, and a file may be in three folders of its own. */
const MAX_LOOKED_AT = 400
/** Bytes of a file that are read at a time while it is divided. */
const BLOCK_BYTES = MEBIBYTE / 2

/** Limits of one step: bytes of JSON that it reads or divides, and entries that it lists. */
export interface StepSizes {
  readonly read: number
  readonly divided: number
  readonly listed: number
}

type Read = 'realm' | 'avatars' | 'emoji' | 'attachments' | 'reactions' | 'marks' | 'messages'

interface TarUnit extends ImportUnit {
  /** `survey` lists files of the archive; `next` and `listed` add units for the listed files. */
  readonly kind: 'survey' | 'next' | 'listed' | 'divide' | Read
  /** The kind of the units for the sections of a file that is divided. */
  readonly as: Read | ''
  readonly from: number
  readonly size: number
  /** A part of a large file: one that is read by itself, or the one at which dividing continues. */
  readonly section: JsonSection | null
}

/** Units that may add others. */
const ADDING: ReadonlySet<TarUnit['kind']> = new Set(['survey', 'next', 'listed', 'divide'])

const WITHOUT_FILE = { name: 'export', as: '', from: 0, size: 0, section: null } as const

/** Exports of the public server, as unpacked tar archives. */
export const publicServerReader = publicServerReaderOf({
  read: 16 * MEBIBYTE,
  divided: 64 * MEBIBYTE,
  listed: LISTED_AT_ONCE,
})

/** Large archives are listed, and large files divided, in steps, which are units too. */
export function publicServerReaderOf(sizes: StepSizes): ImportReader<TarUnit> {
  return {
    name: 'public_server',
    displayName: 'Zulip (export of an organization)',

    recognises(archive, from) {
      return isTarWith(archive, from, MAX_LOOKED_AT, isOfExport)
    },

    async *units() {
      yield { ...WITHOUT_FILE, kind: 'survey' }
    },

    adds: ({ kind }) => ADDING.has(kind),

    read(archive, unit, context) {
      return recordsOf(archive, unit, context, new Known(context), sizes)
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
      const next = { begin: unit.from, most: sizes.listed }
      const from = yield* surveyTar(archive, next, context, known, neededFile)
      if (from !== undefined) return context.add({ ...WITHOUT_FILE, kind: 'survey', from })
      if ((await listsOf('realm', known)).length === 0) {
        throw new ImportRefusedError(
          'The archive has no "realm.json". Give the whole export, as the server has made it.',
        )
      }
      return context.add({ ...WITHOUT_FILE, kind: 'next' })
    }
    case 'next':
      return addNext(context, sizes, known)
    case 'listed':
      for (const file of await filesIn(unit.name, known)) addFile(context, sizes, 'messages', file)
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
    default: {
      const { kind } = unit
      yield* ofItems(items(), (item) => rowOf(kind, item, known))
    }
  }
}

/** Yields the bytes of a file, or of a section of it. */
function bytesOf(
  archive: ImportArchive,
  { from, size }: Pick<TarUnit, 'from' | 'size'>,
  section: JsonSection | null,
): AsyncGenerator<Uint8Array> {
  const begin = section?.from ?? 0
  const end = section && !section.isLast ? section.to : size
  return blocksOf(rangeOf(archive, from + begin, end - begin))
}

/** Adds the next of the files of `ORDER`; after the last one, the lists of those with messages. */
async function addNext(context: ImportContext, sizes: StepSizes, known: Known): Promise<void> {
  const at = Number(context.state.step ?? 0)
  context.state.step = at + 1
  const [, kind] = ORDER[at] ?? []
  if (kind) {
    const [file] = await filesOf(kind, known)
    const isDivided = file !== undefined && addFile(context, sizes, kind, file)
    // The last step that divides a file adds what follows.
    if (!isDivided) context.add({ ...WITHOUT_FILE, kind: 'next' })
    return
  }
  for (const name of await listsOf('messages', known)) context.add({ ...WITHOUT_FILE, kind: 'listed', name })
}

/** Adds a file. Returns whether it is large, and so is divided: marks of messages are read before the messages then. */
function addFile(
  context: ImportContext,
  sizes: StepSizes,
  kind: Read,
  { name, from, size }: Pick<TarEntry, 'name' | 'from' | 'size'>,
): boolean {
  const whole = { name, from, size }
  const as = kind === 'messages' ? 'marks' : kind
  const isDivided = size > sizes.read
  if (isDivided) context.add({ ...whole, kind: 'divide', as, section: WHOLE })
  else context.add({ ...whole, kind, as: '', section: null })
  return isDivided
}

/** Divides a part of a large file into sections, each of which is read by itself, and adds what follows them. */
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
  // All other sections of the organization are read together, since their rows refer to each other.
  if (as === 'realm') context.add({ name, from, size, kind: 'realm', as: '', section: WHOLE })
  if (as !== 'messages') context.add({ ...WITHOUT_FILE, kind: 'next' })
}

/** `next`: the list in which the section ends, if that is known. */
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

/** Reads the organization: all of it, or all sections that have more than reactions. */
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
    const items = itemsOf(bytesOf(archive, unit, section), section ?? undefined)
    yield* ofItems(items, async function* ({ list, value }) {
      const row = new Payload(value, MAX_TEXT)
      if (list === 'zerver_realm' && !isNamed) {
        isNamed = true
        yield sourceOf(row.firstText('uuid', 'string_id').slice(0, 100) || 'root')
      }
      yield* realm.take(list, row)
    })
  }
  if (!isNamed) yield sourceOf('unknown')
  yield* realm.end()
}

/** `realm`: the organization's unique id, or else its name in addresses, which tell a second export of it from one of another. */
function sourceOf(realm: string): NeutralRecord {
  return { type: 'parley-import', version: 1, source: `public-server:${realm}` }
}

async function* rowOf(kind: Read, { list, value }: JsonItem, known: Known): AsyncGenerator<NeutralRecord> {
  const row = new Payload(value, MAX_TEXT)
  if (kind === 'avatars') {
    const lack = ['user_profile_id', 'path'].find((name) => row.text(name) === '')
    if (lack !== undefined)
      return yield { type: 'problem', kind: 'bad row', detail: `picture without ${lack}` }
    const at = await known.get('upload', `avatars/${row.text('path')}`)
    if (at !== undefined && !/-medium\.png$|\.original$/.test(row.text('path')))
      await known.put('avatar', row.text('user_profile_id'), at)
  } else if (kind === 'emoji') yield* emojiOf(row, known)
  else if (list === 'zerver_attachment') {
    const created = row.number('create_time')
    const named = { name: row.text('file_name'), owner: row.text('owner') }
    yield* ofUpload(row, named, created === undefined ? undefined : created * 1_000, known)
  }
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

/** Single files, in the order in which they are read. Texts in the realm link to attachments. */
const ORDER = [
  ['avatars/records.json', 'avatars'],
  ['emoji/records.json', 'emoji'],
  ['attachment.json', 'attachments'],
  ['realm.json', 'realm'],
] as const
const FOLDERS = /^(?:uploads|avatars|emoji|realm_icons)\//
/** Files in them that other programs do not have: each organization's folder is its id. */
const OF_EXPORT = /^(?:uploads|avatars|emoji|realm_icons)\/(?:\d+\/|records\.json$)/
const MESSAGES = /^messages-\d+\.json$/

/** Whether an archive with a file of this name is an export. */
function isOfExport(name: string): boolean {
  if (name.startsWith('export/')) return false
  const path = inTop(name)
  return (
    OF_EXPORT.test(path) || MESSAGES.test(path) || /^(?:realm|attachment|migration_status)\.json$/.test(path)
  )
}

function neededFile({ name }: TarEntry) {
  const path = inTop(name)
  const kind = MESSAGES.test(path) ? 'messages' : ORDER.find(([file]) => file === path)?.[1]
  const isFile = FOLDERS.test(path) && !path.endsWith('records.json')
  if (isFile && path.startsWith('realm_icons/')) return { key: path, kinds: ['pictures'] }
  if (kind !== undefined) return { key: path, kinds: [kind] }
  return isFile ? { key: path } : undefined
}

/** Returns a path relative to the top folder of an export. */
function inTop(name: string): string {
  const path = name.replace(/^\.\//, '')
  return FOLDERS.test(path) || !path.includes('/') ? path : path.slice(path.indexOf('/') + 1)
}

import { Payload } from '../integrations/payload.ts'
import {
  type ImportArchive,
  type ImportReader,
  ImportRefusedError,
  type ImportUnit,
} from './import-reader.ts'
import { itemsOf } from './json-items.ts'
import { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { placeProblems } from './place-problems.ts'
import { ofMessages } from './public-server/messages.ts'
import { Realm } from './public-server/realm.ts'
import { blocksOf, fileInTar, filesOfTar, isTar, pathInTar, rangeOf } from './tar.ts'

/** Units of a text that are read. */
const MAX_TEXT = 1_000_000
/** Files from which records are made, in the order in which they are read. */
const ORDER = [
  ['avatars/records.json', 'avatars'],
  ['emoji/records.json', 'emoji'],
  ['realm.json', 'realm'],
  ['attachment.json', 'attachments'],
] as const
const FOLDERS = /^(?:uploads|avatars|emoji|realm_icons)\//
const MESSAGES = /^messages-\d+\.json$/

interface TarUnit extends ImportUnit {
  readonly kind: 'start' | 'files' | 'messages' | 'left out' | (typeof ORDER)[number][1]
  readonly from: number
  readonly size: number
}

/** Exports of the public server, as an unpacked tar archive. */
export const publicServerReader: ImportReader<TarUnit> = {
  name: 'public_server',
  displayName: 'Zulip (export of an organization)',

  async recognises(archive) {
    if (!(await isTar(archive))) return false
    for await (const { name } of filesOfTar(archive)) {
      if (/^(?:[^/]+\/)?(?:realm|attachment|migration_status)\.json$/.test(name))
        return !name.startsWith('export/')
    }
    return false
  },

  async *units(archive) {
    const found: TarUnit[] = []
    const taken = new Set<string>()
    for await (const { name, from, size } of filesOfTar(archive)) {
      const path = inTop(name)
      const kind = MESSAGES.test(path) ? 'messages' : ORDER.find(([file]) => file === path)?.[1]
      if (kind) found.push({ name, kind: taken.has(path) ? 'left out' : kind, from, size })
      if (kind) taken.add(path)
    }
    if (!found.some(({ kind }) => kind === 'realm')) {
      throw new ImportRefusedError(
        'The archive has no "realm.json". Give the whole export, as the server has made it.',
      )
    }
    const order = ({ kind }: TarUnit) => ORDER.findIndex(([, one]) => one === kind) + 1 || ORDER.length + 1
    yield { name: 'export', kind: 'start', from: 0, size: 0 }
    yield { name: 'files', kind: 'files', from: 0, size: 0 }
    yield* found.sort((one, other) => order(one) - order(other) || (one.name < other.name ? -1 : 1))
  },

  read(archive, unit, context) {
    return placeProblems(recordsOf(archive, unit, new Known(context)), unit.size > 0 ? unit.name : undefined)
  },

  file: fileInTar,
}

/** Returns a path below the one folder that all of an export is in. */
function inTop(name: string): string {
  const path = name.replace(/^\.\//, '')
  return /^(?:uploads|avatars|emoji|realm_icons)\//.test(path) || !path.includes('/')
    ? path
    : path.slice(path.indexOf('/') + 1)
}

async function* recordsOf(
  archive: ImportArchive,
  unit: TarUnit,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const items = () => itemsOf(blocksOf(rangeOf(archive, unit.from, unit.size)))
  switch (unit.kind) {
    case 'start':
      yield { type: 'parley-import', version: 1, source: `public-server:${await realmOf(archive)}` }
      return
    case 'files':
      for await (const entry of filesOfTar(archive)) {
        const path = inTop(entry.name)
        if (!FOLDERS.test(path) || path.endsWith('records.json')) continue
        if ((await known.get('upload', path)) === undefined) await known.put('upload', path, pathInTar(entry))
        else yield twice(entry.name)
      }
      return
    case 'left out':
      yield twice(unit.name)
      return
    case 'messages':
      yield* ofMessages(items(), known)
      return
    default: {
      const realm = new Realm(known)
      for await (const { list, number, value, fault } of items()) {
        if (fault !== undefined) yield { type: 'problem', kind: 'not readable', detail: fault, entry: number }
        else yield* rowOf(unit.kind, list, new Payload(value, MAX_TEXT), realm, known)
      }
      if (unit.kind === 'realm') yield* realm.end()
    }
  }
}

function twice(name: string): NeutralRecord {
  return { type: 'problem', kind: 'file of the archive', detail: `${name} is there twice` }
}

async function* rowOf(
  kind: TarUnit['kind'],
  list: string,
  row: Payload,
  realm: Realm,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if (kind === 'realm') yield* realm.take(list, row)
  else if (kind === 'avatars') {
    const at = await known.get('upload', `avatars/${row.text('path')}`)
    if (at !== undefined && !/-medium\.png$|\.original$/.test(row.text('path')))
      await known.put('avatar', row.text('user_profile_id'), at)
  } else if (kind === 'emoji') yield* emojiOf(row, known)
  else if (list === 'zerver_attachment') yield* attachmentOf(row, known)
}

async function* emojiOf(row: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const name = row.text('name')
  const path = row.text('path')
  const at = await known.get('upload', `emoji/${path}`)
  if (name === '' || path.endsWith('.original') || (await known.get('emoji', name)) !== undefined) return
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

/** Returns the number of the organization that is unique everywhere, else its name in addresses: it tells a second export of it from one of another. */
async function realmOf(archive: ImportArchive): Promise<string> {
  for await (const { name, from, size } of filesOfTar(archive)) {
    if (inTop(name) !== 'realm.json') continue
    for await (const { list, value } of itemsOf(blocksOf(rangeOf(archive, from, size)))) {
      if (list !== 'zerver_realm') continue
      const realm = new Payload(value)
      return realm.firstText('uuid', 'string_id').slice(0, 100) || 'root'
    }
  }
  return 'unknown'
}

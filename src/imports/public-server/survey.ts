/** Lists the files of an export of the public server, a part of the archive at a time. */
import type { Bytes, ImportContext, Plain } from '../import-reader.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { filesOfTar, pathInTar, refuseManyFiles } from '../tar.ts'

/** Characters of a list of files with messages: one value of the store. */
const LIST_LENGTH = 50_000
/** Files of which there is one each, in the order in which they are read. */
export const ORDER = [
  ['avatars/records.json', 'avatars'],
  ['emoji/records.json', 'emoji'],
  ['realm.json', 'realm'],
  ['attachment.json', 'attachments'],
] as const
const FOLDERS = /^(?:uploads|avatars|emoji|realm_icons)\//
const MESSAGES = /^messages-\d+\.json$/

/** Whether an archive with this file is an export. */
export function isOfExport(name: string): boolean {
  if (name.startsWith('export/')) return false
  const path = inTop(name)
  return (
    FOLDERS.test(path) || MESSAGES.test(path) || /^(?:realm|attachment|migration_status)\.json$/.test(path)
  )
}

/** Notes where files are, from a place of the archive on. Returns where to go on; undefined at the end. */
export async function* survey(
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
    if (kind === undefined && (!FOLDERS.test(path) || path.endsWith('records.json'))) continue
    if ((await known.get('upload', path)) !== undefined) {
      yield { type: 'problem', kind: 'file of the archive', detail: `${entry.name} is there twice` }
      continue
    }
    await known.put('upload', path, pathInTar(entry))
    const file = [entry.name, entry.from, entry.size]
    if (kind === 'messages') messages.push(JSON.stringify(file))
    else if (kind) state[kind] = file
    length += kind === 'messages' ? messages.at(-1)!.length : 0
    if (count >= most || length > LIST_LENGTH) {
      next = entry.end
      break
    }
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

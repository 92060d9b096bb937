/** Lists the files of an archive of an organization here, a part of the archive at a time. */
import type { Bytes, ImportContext, Known } from '../import-reader.ts'
import type { NeutralRecord } from '../neutral.ts'
import { filesOfTar, pathInTar, refuseManyFiles } from '../tar.ts'

export const FOLDER = 'export/'
/** Characters of a list of files: one value of the store. */
const LIST_LENGTH = 50_000
/** Files in the order in which they are read: each refers to those before it. */
export const ORDER = [
  ['pictures', /^pictures\/\d+\.json$/],
  ['attachments', /^attachments\/\d+\.json$/],
  ['realm', /^realm\.json$/],
  ['personal', /^personal\/\d+\.json$/],
  ['users', /^users\/\d+\.json$/],
  ['groups', /^user_groups(?:\/\d+)?\.json$/],
  ['subscriptions', /^subscriptions\/\d+\.json$/],
  ['channels', /^channels\/\d+\.json$/],
  ['messages', /^messages\/\d+\.json$/],
] as const
const FILES = /^(?:uploads|pictures)\/(?!\d+\.json$)/

export type ParleyFile = (typeof ORDER)[number][0]

/**
 * Notes where files are, from a place of the archive on: those of each kind in lists, the number of which is in the state. Returns where to go
 * on; undefined at the end.
 */
export async function* survey(
  archive: Bytes,
  { begin, most }: { readonly begin: number; readonly most: number },
  { state }: ImportContext,
  known: Known,
): AsyncGenerator<NeutralRecord, number | undefined> {
  const lists = new Map<ParleyFile, string[]>()
  let [count, length] = [0, 0]
  let next: number | undefined
  for await (const entry of filesOfTar(archive, begin)) {
    count += 1
    const path = entry.name.startsWith(FOLDER) ? entry.name.slice(FOLDER.length) : ''
    const kind = ORDER.find(([, pattern]) => pattern.test(path))?.[0]
    if (kind !== undefined || FILES.test(path)) {
      if ((await known.get('upload', path)) !== undefined)
        yield { type: 'problem', kind: 'file of the archive', detail: `${entry.name} is there twice` }
      else {
        await known.put('upload', path, pathInTar(entry))
        if (kind !== undefined) {
          const file = JSON.stringify([entry.name, entry.from, entry.size])
          lists.set(kind, [...(lists.get(kind) ?? []), file])
          length += file.length
        }
      }
    }
    if (count < most && length <= LIST_LENGTH) continue
    next = entry.end
    break
  }
  for (const [kind, files] of lists) {
    const number = Number(state[kind] ?? 0)
    await known.put('list', `${kind} ${number}`, `[${files.join()}]`)
    state[kind] = number + 1
  }
  const entries = Number(state.entries ?? 0) + count
  refuseManyFiles(entries)
  state.entries = entries
  return next
}

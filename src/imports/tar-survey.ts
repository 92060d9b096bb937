/** Lists the files of a tar archive in steps, since each may need a request of its own to the store. */
import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { Bytes, ImportContext } from './import-reader.ts'
import type { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'
import { filesOfTar, isTar, pathInTar, refuseManyFiles, type TarEntry } from './tar.ts'

/** Entries that one step lists. */
export const LISTED_AT_ONCE = 10_000
/** Characters of a list of files, which is one value of the store. */
const LIST_LENGTH = 50_000
/** Entries among which a format looks for its files. */
const MAX_LOOKED_AT = 2_000

/** A file that a reader needs. Without a kind it is only found again by its key. */
interface NeededFile<Kind extends string> {
  readonly key: string
  readonly kind?: Kind | undefined
}

type FileInTar = Pick<TarEntry, 'name' | 'from' | 'size'>

/**
 * Notes the needed files of the next entries, under `upload`. Those of a kind are in lists, which the state counts by kind. Returns the
 * position at which the next step begins; undefined at the end of the archive.
 */
export async function* survey<Kind extends string>(
  archive: Bytes,
  { begin, most }: { readonly begin: number; readonly most: number },
  { state }: ImportContext,
  known: Known,
  neededFile: (name: string) => NeededFile<Kind> | undefined,
): AsyncGenerator<NeutralRecord, number | undefined> {
  const lists = new Map<Kind, string[]>()
  let [count, length] = [0, 0]
  let next: number | undefined
  for await (const entry of filesOfTar(archive, begin)) {
    count += 1
    const { key, kind } = neededFile(entry.name) ?? {}
    if (key !== undefined && (await known.get('upload', key)) !== undefined)
      yield { type: 'problem', kind: 'file of the archive', detail: `${entry.name} is there twice` }
    else if (key !== undefined) {
      await known.put('upload', key, pathInTar(entry))
      if (kind !== undefined) {
        const file = JSON.stringify([entry.name, entry.from, entry.size])
        lists.set(kind, [...(lists.get(kind) ?? []), file])
        length += file.length
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

/** Returns the names of the lists of a kind. */
export function listsOf(kind: string, { state }: Pick<ImportContext, 'state'>): string[] {
  return Array.from({ length: Number(state[kind] ?? 0) }, (_, number) => `${kind} ${number}`)
}

export async function filesIn(list: string, known: Known): Promise<FileInTar[]> {
  const files = new Payload(parseJson((await known.get('list', list)) ?? '[]')).list()
  return files.map((file) => ({ name: file.text(0), from: file.number(1)!, size: file.number(2)! }))
}

/** Whether it is a tar archive that has such a file among its first ones. */
export async function isTarWith(archive: Bytes, isIt: (name: string) => boolean): Promise<boolean> {
  if (!(await isTar(archive))) return false
  let looked = 0
  for await (const { name } of filesOfTar(archive)) {
    if (isIt(name)) return true
    looked += 1
    if (looked === MAX_LOOKED_AT) return false
  }
  return false
}

/** Lists the files of an archive in steps: it may have hundreds of thousands, and each may need a request of its own to the store. */
import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { Known } from './known.ts'
import type { NeutralRecord } from './neutral.ts'

/** Files of an archive: a workspace of ten years with a thousand channels has 200,000 files of days. */
export const MAX_FILES = 500_000
/** Entries that one step lists, and among which a format looks for what it knows. */
export const LISTED_AT_ONCE = 10_000
/** Characters of a list of files, which is one value of the store. */
const LIST_LENGTH = 50_000
/** Characters of a name in a report. */
const MAX_NAME = 1_000

/** A file of an archive, and the position at which listing continues after it. */
interface Entry {
  readonly name: string
  readonly from: number
  readonly size: number
  /** The path for a `file` record: with the file's position, so that nothing has to search for it. */
  readonly path: string
  readonly end: unknown
  /** Whether its name is no UTF-8, so that it may have been meant otherwise. */
  readonly isLatin1?: boolean
  /** Whether a step ends with it, however few it has listed. */
  readonly isEnough?: boolean
}

/** A file that a reader needs: it is found again by its key, in the lists of its kinds, or both. One with a fault or left out is a problem. */
export interface NeededFile {
  readonly key?: string | undefined
  readonly kinds?: readonly string[]
  readonly fault?: string | undefined
  /** What is left out with it. */
  readonly leftOut?: string | undefined
}

type ListedFile = Pick<Entry, 'name' | 'from' | 'size'>

/**
 * Notes the needed files among the next entries: their paths under `upload`, and lists of each kind. Returns the position at which the next step
 * begins; undefined at the end of the archive.
 */
export async function* survey<Listed extends Entry>(
  entries: AsyncIterable<Listed>,
  most: number,
  known: Known,
  neededFile: (entry: Listed) => NeededFile | undefined | Promise<NeededFile | undefined>,
): AsyncGenerator<NeutralRecord, Listed['end'] | undefined> {
  const lists = new Lists(known)
  let count = 0
  let next: Listed['end'] | undefined
  for await (const entry of entries) {
    count += 1
    const { key, kinds = [], fault, leftOut } = (await neededFile(entry)) ?? {}
    if (entry.isLatin1)
      yield { type: 'problem', kind: 'file name that is no UTF-8', detail: entry.name.slice(0, MAX_NAME) }
    const isTwice = key !== undefined && (await known.get('upload', key)) !== undefined
    if (fault !== undefined || isTwice) {
      const detail = `${entry.name.slice(0, MAX_NAME)} ${fault ?? 'is there twice'}`
      yield { type: 'problem', kind: 'file of the archive', detail }
    } else if (leftOut !== undefined) {
      yield { type: 'problem', kind: `left out: ${leftOut}`, detail: entry.name.slice(0, MAX_NAME) }
    } else {
      if (key !== undefined) await known.put('upload', key, entry.path)
      for (const kind of kinds) await lists.add(kind, entry)
    }
    if (count < most && entry.isEnough !== true) continue
    next = entry.end
    break
  }
  await lists.storeAll()
  return next
}

/** Lists of files by kind, which grow over all steps. */
class Lists {
  private readonly known: Known
  private readonly held = new Map<string, { files: string[]; length: number }>()

  constructor(known: Known) {
    this.known = known
  }

  async add(kind: string, { name, from, size }: ListedFile): Promise<void> {
    const file = JSON.stringify([name, from, size])
    const list = this.held.get(kind) ?? { files: [], length: 0 }
    list.files.push(file)
    list.length += file.length
    this.held.set(kind, list)
    if (list.length > LIST_LENGTH) await this.store(kind)
  }

  async storeAll(): Promise<void> {
    for (const kind of [...this.held.keys()]) await this.store(kind)
  }

  private async store(kind: string): Promise<void> {
    const number = await numberOfLists(kind, this.known)
    await this.known.put('list', listName(kind, number), `[${this.held.get(kind)!.files.join()}]`)
    await this.known.put('list', kind, String(number + 1))
    this.held.delete(kind)
  }
}

/** Kinds have no slash, so no list has the name of a kind. */
function listName(kind: string, number: number): string {
  return `${kind}/${number}`
}

async function numberOfLists(kind: string, known: Known): Promise<number> {
  return Number((await known.get('list', kind)) ?? 0)
}

/** Returns the names of the lists of a kind. */
export async function listsOf(kind: string, known: Known): Promise<string[]> {
  return Array.from({ length: await numberOfLists(kind, known) }, (_, number) => listName(kind, number))
}

export async function filesIn(list: string, known: Known): Promise<ListedFile[]> {
  const files = new Payload(parseJson((await known.get('list', list)) ?? '[]')).list()
  return files.map((file) => ({ name: file.text(0), from: file.number(1)!, size: file.number(2)! }))
}

/** Returns all files of a kind. */
export async function filesOf(kind: string, known: Known): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  for (const list of await listsOf(kind, known)) files.push(...(await filesIn(list, known)))
  return files
}

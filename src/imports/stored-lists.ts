import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { Plain } from './import-reader.ts'
import type { Kind, Known } from './known.ts'

/** Ids in one value of the store. Each has at most 60 characters. */
const IDS_OF_PART = 500

/** Sets of ids in the order in which they were added. They are in the reader's store, and grow over all units. */
export class IdLists {
  private readonly known: Known

  constructor(known: Known) {
    this.known = known
  }

  /** Whether this unit has looked up the id, and it is in the list. */
  hasSeen(list: string, id: string): boolean {
    return this.known.seen('listed', `${list}\n${id}`) !== undefined
  }

  /** Returns whether the id is new. */
  async add(list: string, id: string): Promise<boolean> {
    if (id === '' || id.length > 60) return false
    const key = `${list}\n${id}`
    if ((await this.known.get('listed', key)) !== undefined) return false
    await this.known.put('listed', key, '')
    const count = Number((await this.known.get('list', list)) ?? '0')
    const part = `${list}\n${Math.floor(count / IDS_OF_PART)}`
    const before = count % IDS_OF_PART === 0 ? '' : `${await this.known.get('list', part)}\n`
    await this.known.put('list', part, before + id)
    await this.known.put('list', list, String(count + 1))
    return true
  }

  async all(list: string): Promise<string[]> {
    const count = Number((await this.known.get('list', list)) ?? '0')
    const ids: string[] = []
    for (let part = 0; part * IDS_OF_PART < count; part += 1) {
      ids.push(...((await this.known.get('list', `${list}\n${part}`)) ?? '').split('\n'))
    }
    return ids
  }
}

/** Items of a part, which is one value of the store, and lists that are held in memory. */
const [ITEMS_OF_PART, MAX_HELD] = [300, 5_000] as const
/** Messages whose items are in one list. */
const MESSAGES_OF_LIST = 200

/** Lists in the reader's store, in parts, for what an archive says before the thing that it is about. */
class PartedLists {
  private readonly held = new Map<string, string[]>()
  private readonly kind: Kind
  private readonly known: Known

  constructor(kind: Kind, known: Known) {
    this.kind = kind
    this.known = known
  }

  /** Each item has at most 210 characters as JSON. */
  async add(list: string, item: Plain): Promise<void> {
    const items = this.held.get(list) ?? []
    this.held.set(list, items)
    items.push(JSON.stringify(item))
    if (items.length >= ITEMS_OF_PART || this.held.size > MAX_HELD) await this.store()
  }

  async store(): Promise<void> {
    for (const [list, items] of this.held) {
      const part = (await this.partsOf(list)) + 1
      await this.known.put(this.kind, list, String(part))
      await this.known.put(this.kind, `${list}/${part}`, `[${items.join(',')}]`)
    }
    this.held.clear()
  }

  async *of(list: string): AsyncGenerator<Payload> {
    const parts = await this.partsOf(list)
    for (let part = 1; part <= parts; part += 1)
      yield* new Payload(parseJson((await this.known.get(this.kind, `${list}/${part}`)) ?? '[]')).list()
  }

  private async partsOf(list: string): Promise<number> {
    return Number((await this.known.get(this.kind, list)) ?? '0')
  }
}

/** Lists of what an archive says about messages, some messages together. */
export class MessageLists extends PartedLists {
  addTo(message: number, item: readonly (string | number)[]): Promise<void> {
    return this.add(listOf(message), [message, ...item])
  }

  /** Yields the items of these messages, and perhaps of their neighbours: each is a list that begins with its message. */
  async *ofMessages(messages: readonly number[]): AsyncGenerator<Payload> {
    for (const list of new Set(messages.map(listOf))) yield* this.of(list)
  }
}

function listOf(message: number): string {
  return String(Math.floor(message / MESSAGES_OF_LIST))
}

import { parseJson } from '../core/json.ts'
import { Payload } from '../integrations/payload.ts'
import type { Kind, Known } from './import-reader.ts'

/** Messages of which things are stored together, items in one value of the store, and buckets that are held in memory. */
const [BUCKET, MAX_TOGETHER, MAX_HELD] = [200, 300, 5_000] as const

/** What an archive says about messages in another place than theirs: it waits in the store, some messages together. */
export class Buckets {
  private readonly held = new Map<number, string[]>()
  private readonly kind: Kind
  private readonly known: Known

  constructor(kind: Kind, known: Known) {
    this.kind = kind
    this.known = known
  }

  /** Each item as JSON has at most 200 characters. */
  async add(message: number, item: readonly (string | number)[]): Promise<void> {
    const bucket = Math.floor(message / BUCKET)
    const list = this.held.get(bucket) ?? []
    if (list.length === 0) this.held.set(bucket, list)
    list.push(JSON.stringify([message, ...item]))
    if (list.length >= MAX_TOGETHER || this.held.size > MAX_HELD) await this.store()
  }

  async store(): Promise<void> {
    for (const [bucket, list] of this.held) {
      const part = Number((await this.known.get(this.kind, String(bucket))) ?? '0') + 1
      await this.known.put(this.kind, String(bucket), String(part))
      await this.known.put(this.kind, `${bucket}/${part}`, `[${list.join(',')}]`)
    }
    this.held.clear()
  }

  /** Yields the items of these messages: each a list that begins with its message. */
  async *of(messages: readonly number[]): AsyncGenerator<Payload> {
    for (const bucket of new Set(messages.map((message) => Math.floor(message / BUCKET)))) {
      const parts = Number((await this.known.get(this.kind, String(bucket))) ?? '0')
      for (let part = 1; part <= parts; part += 1) {
        yield* new Payload(parseJson((await this.known.get(this.kind, `${bucket}/${part}`)) ?? '[]')).list()
      }
    }
  }
}

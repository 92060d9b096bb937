import { DurableObject } from 'cloudflare:workers'

/** Bytes up to which blocks are joined to one chunk. */
const CHUNK = 64 * 1024

/** Stored blocks of a snapshot, a row each, without any checks: the floor for an isolate that holds no blocks. */
export class BlocksObject extends DurableObject {
  /** Stores this number of blocks, with this number of bytes in all. */
  fill(blocks: number, bytes: number): void {
    const { sql } = this.ctx.storage
    sql.exec(`CREATE TABLE IF NOT EXISTS block (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
    sql.exec(`DELETE FROM block`)
    const text = 'x'.repeat(Math.ceil(bytes / blocks))
    for (let block = 0; block < blocks; block += 1) sql.exec(`INSERT INTO block (text) VALUES (?)`, text)
  }

  read(): string[] {
    return [...this.ctx.storage.sql.exec<{ text: string }>(`SELECT text FROM block`)].map(({ text }) => text)
  }
}

/** The blocks of the last registration, which the isolate keeps for later ones. */
let kept = new Map<number, Uint8Array>()

/** Sends the blocks as a Worker without any does: one call gets all of them, and the Worker keeps each and joins them into chunks. */
export async function registerAnew(object: DurableObjectStub<BlocksObject>): Promise<Response> {
  const encoder = new TextEncoder()
  kept = new Map([...(await object.read()).entries()].map(([id, text]) => [id, encoder.encode(text)]))
  const left = [...kept.values()].reverse()
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left.length === 0) return controller.close()
      const chunk = new Uint8Array(Math.max(CHUNK, left.at(-1)!.length))
      let end = 0
      while (left.length > 0 && end + left.at(-1)!.length <= chunk.length) {
        const block = left.pop()!
        chunk.set(block, end)
        end += block.length
      }
      controller.enqueue(chunk.subarray(0, end))
    },
  })
  return new Response(stream, { headers: { 'Content-Type': 'application/json' } })
}

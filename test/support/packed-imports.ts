import { expectSuccess, type TestRealm } from './factories.ts'
import { headOf, type Line } from './imports.ts'
import { upload } from './uploads.ts'

/** Packs bytes as `gzip` does. */
export async function packed(bytes: BodyInit): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes).body!.pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** Begins to import a packed archive; returns the id. */
export async function beginPacked({ owner }: TestRealm, content: Uint8Array<ArrayBuffer>): Promise<number> {
  const path = await upload(owner, { name: 'import.jsonl.gz', type: 'application/gzip', content })
  return expectSuccess(await owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') })).id
}

export const LINES: readonly Line[] = [
  headOf('packed'),
  { type: 'user', id: 'u1', full_name: 'Ada Amsel' },
  { type: 'channel', id: 'c1', name: 'boats', members: [{ user: 'u1' }] },
]
export const message = (id: number, content: string) => ({
  type: 'message',
  id: `m${id}`,
  sender: 'u1',
  time_ms: 1_600_000_000_000 + id * 1_000,
  channel: 'c1',
  topic: 't',
  content,
})

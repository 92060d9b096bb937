/** Uploaded files of a Rocket.Chat database: in chunks, between those of other files, or as files of their own. */
import { joinedBytes } from '../../core/growing-bytes.ts'
import type { Payload } from '../../integrations/payload.ts'
import { type Bytes, rangeOf } from '../import-reader.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { fileInTar } from '../tar.ts'
import { type BsonDocument, documentsOf } from './bson.ts'

/** Yields the record of an upload whose bytes are in the archive. */
export async function* ofUpload(upload: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const id = upload.text('_id')
  const path = id === '' || id.length > 190 ? undefined : await known.get('upload', id)
  if (path === undefined)
    return yield {
      type: 'problem',
      kind: 'file is not in the archive',
      detail: upload.firstText('name', '_id').slice(0, 200),
    }
  await known.put('file', id, 'made')
  const created = upload.number('uploadedAt')
  const owner = upload.text('userId')
  yield {
    type: 'file',
    id,
    name: upload.text('name').slice(0, 1_000) || 'file',
    path,
    content_type: upload.text('type').slice(0, 200),
    ...(owner !== '' && owner.length <= 200 && { owner }),
    ...(created !== undefined && created > 0 && { created_ms: created }),
  }
}

/** Notes the range in which the chunks of each file are. */
export class ChunkNotes {
  private readonly known: Known
  private readonly from: number
  private id = ''
  private range: readonly [from: number, to: number] = [0, 0]

  /** `from`: position of the file of chunks in the archive. */
  constructor(known: Known, from: number) {
    this.known = known
    this.from = from
  }

  async take(chunk: Payload, start: number, end: number): Promise<void> {
    const id = chunk.text('files_id')
    if (id !== this.id) {
      await this.store()
      this.id = id
      const before = id === '' ? undefined : await this.known.get('upload', id)
      this.range = [rangeIn(before)?.[0] ?? this.from + start, 0]
    }
    this.range = [this.range[0], this.from + end]
  }

  async store(): Promise<void> {
    if (this.id === '' || this.id.length > 190) return
    const [from, to] = this.range
    await this.known.put('upload', this.id, `chunks@${from}+${to - from}!${this.id}`)
  }
}

/** Bytes from the first to the last chunk of a file, all of which are read. A file has at most 100 MB, unless the server allows more. */
const MAX_SPREAD = 128 * 1024 * 1024

const CHUNKED = /^chunks@(\d{1,16})\+(\d{1,16})!(.+)$/s

function rangeIn(path: string | undefined): readonly [from: number, size: number, id: string] | undefined {
  const found = path === undefined ? null : CHUNKED.exec(path)
  return found ? [Number(found[1]), Number(found[2]), found[3]!] : undefined
}

interface Chunk {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly length: number
}

/** Finds the bytes of a file by the path in its record; undefined if one of its chunks is missing, or too far from the others. */
export async function fileAt(archive: Bytes, path: string): Promise<Bytes | undefined> {
  const range = rangeIn(path)
  if (!range) return fileInTar(archive, path)
  const [from, size, id] = range
  if (size > MAX_SPREAD || from + size > archive.size) return undefined
  const file = rangeOf(archive, from, size)
  const chunks: Chunk[] = []
  let start = 0
  for await (const document of documentsOf(file, 0, size)) {
    const chunk = chunkOf(document, id)
    if (chunk) chunks.push({ number: chunk.number, start, end: document.end, length: chunk.data.length })
    start = document.end
  }
  chunks.sort((one, other) => one.number - other.number)
  const isWhole = chunks.length > 0 && chunks.every(({ number }, at) => number === at)
  return isWhole ? chunkedBytes(file, chunks, id) : undefined
}

function chunkOf({ value }: BsonDocument, id: string): { number: number; data: Uint8Array } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { files_id, n, data } = value as { files_id?: unknown; n?: unknown; data?: unknown }
  return files_id === id && typeof n === 'number' && data instanceof Uint8Array
    ? { number: n, data }
    : undefined
}

function chunkedBytes(file: Bytes, chunks: readonly Chunk[], id: string): Bytes {
  return {
    size: chunks.reduce((sum, { length }) => sum + length, 0),
    async read(from, to) {
      const parts: Uint8Array[] = []
      let at = 0
      for (const { start, end, length } of chunks) {
        if (at + length > from && at < to)
          for await (const document of documentsOf(file, start, end)) {
            const data = chunkOf(document, id)?.data ?? new Uint8Array()
            parts.push(data.subarray(Math.max(0, from - at), Math.min(length, to - at)))
          }
        at += length
      }
      return joinedBytes(parts)
    },
  }
}

/** Uploads an archive for an import in parts (docs/interface/administration.md#uploading-an-archive), and continues where an earlier upload stopped. */
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ApiClient } from './api-client.ts'
import { readAnswer } from './organizations.ts'

/** An archive at the server, as the API shows it. */
export interface ShownUpload {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly received: number
  readonly part_size: number
}

/** Seconds before each further try of a part: minutes without a network. */
const PAUSES = [1, 2, 5, 10, 20, 30, 60, 60, 60]
const CHUNK_TYPE = 'application/offset+octet-stream'

/**
 * Uploads the file, or the rest of it; returns the id of the upload.
 * @throws {Error} if there is another archive, or the server refuses this one.
 */
export async function uploadArchive(
  client: ApiClient,
  path: string,
  onProgress: (received: number, size: number) => void,
): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { upload } = await client.call<{ upload: ShownUpload | null }>('GET', '/imports')
    const isThis = upload?.name === basename(path) && upload.size === size
    if (upload && !isThis && upload.received < upload.size) {
      throw new Error(
        `Another archive is being uploaded: ${upload.name}. Upload the rest of it, or delete it in the page.`,
      )
    }
    const { id, partSize, received } =
      upload && isThis
        ? { id: upload.id, partSize: upload.part_size, received: upload.received }
        : await begin(client, basename(path), size)
    for (let at = received; at < size; ) {
      onProgress(at, size)
      at = await sendPatiently(client, id, at, await readPart(file, at, Math.min(partSize, size - at)))
    }
    onProgress(size, size)
    return id
  } finally {
    await file.close()
  }
}

async function begin(client: ApiClient, name: string, size: number) {
  const response = await client.fetch('/api/v1/imports/uploads/', {
    method: 'POST',
    headers: {
      ...tusHeaders(client),
      'Upload-Length': String(size),
      'Upload-Metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  })
  if (!response.ok) await readAnswer(response)
  const id = response.headers.get('location')!.split('/').at(-1)!
  return { id, partSize: Number(response.headers.get('upload-part-size')), received: 0 }
}

async function readPart(file: FileHandle, at: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(part, filled, length - filled, at + filled)
    if (bytesRead === 0) throw new Error('The file became shorter during the upload.')
    filled += bytesRead
  }
  return part
}

/** Sends a part, and retries after temporary failures; returns the number of bytes that the server has. */
async function sendPatiently(
  client: ApiClient,
  id: string,
  at: number,
  part: Uint8Array<ArrayBuffer>,
): Promise<number> {
  for (const pause of PAUSES) {
    const received = await send(client, id, at, part).catch((error: unknown) => {
      if (error instanceof TypeError) return undefined
      throw error
    })
    if (received !== undefined) return received
    await setTimeout(pause * 1_000)
  }
  throw new Error('The server cannot be reached. Run the same command again to continue the upload.')
}

/** Returns the number of bytes that the server has; undefined after a temporary failure. */
async function send(
  client: ApiClient,
  id: string,
  at: number,
  part: Uint8Array<ArrayBuffer>,
): Promise<number | undefined> {
  const path = `/api/v1/imports/uploads/${id}`
  const response = await client.fetch(path, {
    method: 'PATCH',
    headers: { ...tusHeaders(client), 'Content-Type': CHUNK_TYPE, 'Upload-Offset': String(at) },
    body: part,
  })
  await response.arrayBuffer()
  if (response.ok) return Number(response.headers.get('upload-offset'))
  const mayPass = [408, 409, 423, 429, 499].includes(response.status) || response.status >= 500
  if (!mayPass) throw new Error(`The server refuses the archive (status ${response.status}).`)
  const now = await client.fetch(path, { method: 'HEAD', headers: tusHeaders(client) })
  const received = Number(now.headers.get('upload-offset'))
  // A stored part is not sent again, even if its answer was lost.
  return now.ok && received > at ? received : undefined
}

function tusHeaders(client: ApiClient): Record<string, string> {
  return { ...client.authorization(), Connection: 'close', 'Tus-Resumable': '1.0.0' }
}

import { AwsClient } from 'aws4fetch'

/** A store of backups, by keys. */
export interface BackupStore {
  /** Returns the bytes that it has; undefined if there is nothing. */
  sizeOf(key: string): Promise<number | undefined>
  /** Stores bytes, or a stream of exactly `size` of them. */
  put(key: string, content: Uint8Array<ArrayBuffer> | ReadableStream, size: number): Promise<void>
  /** Returns undefined if there is nothing. */
  get(key: string): Promise<ReadableStream | undefined>
  /** Lists some of the keys after another, in order; and whether there are more. */
  list(
    prefix: string,
    after: string,
  ): Promise<{ readonly found: readonly StoredKey[]; readonly hasMore: boolean }>
  delete(keys: readonly string[]): Promise<void>
}

interface StoredKey {
  readonly key: string
  readonly size: number
}

export interface BackupEnvironment {
  /** A bucket of its own for backups. */
  readonly BACKUPS?: R2Bucket
  /** Address of a bucket in any S3, and a folder in it: `https://s3.eu-central-1.amazonaws.com/bucket/folder`. */
  readonly BACKUP_S3_URL?: string
  readonly BACKUP_S3_ACCESS_KEY?: string
  readonly BACKUP_S3_SECRET_KEY?: string
  /** `auto` unless set. */
  readonly BACKUP_S3_REGION?: string
}

/** Returns the stores that the deployment has for backups: each of them gets all. */
export function backupStores(env: BackupEnvironment): readonly BackupStore[] {
  const { BACKUPS, BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY } = env
  return [
    ...(BACKUPS ? [inBucket(BACKUPS)] : []),
    ...(BACKUP_S3_URL && BACKUP_S3_ACCESS_KEY && BACKUP_S3_SECRET_KEY
      ? [
          inS3(BACKUP_S3_URL, {
            accessKeyId: BACKUP_S3_ACCESS_KEY,
            secretAccessKey: BACKUP_S3_SECRET_KEY,
            region: env.BACKUP_S3_REGION ?? 'auto',
          }),
        ]
      : []),
  ]
}

function inBucket(bucket: R2Bucket): BackupStore {
  return {
    sizeOf: async (key) => (await bucket.head(key))?.size,
    async put(key, content) {
      await bucket.put(key, content)
    },
    get: async (key) => (await bucket.get(key))?.body,
    async list(prefix, after) {
      const { objects, truncated } = await bucket.list({ prefix, ...(after && { startAfter: after }) })
      return { found: objects, hasMore: truncated }
    },
    delete: (keys) => bucket.delete([...keys]),
  }
}

/** Keys that S3 deletes at a time, since each is a request of its own. */
const DELETED_AT_ONCE = 6

function inS3(
  url: string,
  keys: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly region: string },
): BackupStore {
  const client = new AwsClient({ ...keys, service: 's3', retries: 2 })
  const folder = url.endsWith('/') ? url.slice(0, -1) : url
  const { origin, pathname } = new URL(folder)
  // The bucket, and the folder in it.
  const [bucket, ...folders] = pathname.slice(1).split('/')
  const inFolder = folders.length > 0 ? `${folders.join('/')}/` : ''
  const at = (key: string) => `${folder}/${key}`
  async function ask(address: string, init: RequestInit, ...accepted: readonly number[]): Promise<Response> {
    const response = await client.fetch(address, init)
    if (response.ok || accepted.includes(response.status)) return response
    throw new Error(`The store of backups answers ${response.status} to ${init.method ?? 'GET'}`)
  }
  return {
    async sizeOf(key) {
      const response = await ask(at(key), { method: 'HEAD' }, 404)
      return response.ok ? Number(response.headers.get('Content-Length')) : undefined
    },
    async put(key, content, size) {
      // A signature over the content would need all of it in memory; TLS protects it, and each chunk is sealed.
      const headers = { 'Content-Length': String(size), 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD' }
      await ask(at(key), { method: 'PUT', headers, body: content })
    },
    async get(key) {
      const response = await ask(at(key), {}, 404)
      return response.ok ? (response.body ?? undefined) : undefined
    },
    async list(prefix, after) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: inFolder + prefix })
      if (after) query.set('start-after', inFolder + after)
      const xml = await (await ask(`${origin}/${bucket}?${query}`, {})).text()
      const entries = xml.split('<Contents>').slice(1)
      return {
        found: entries.map((entry) => ({
          key: textIn(entry, 'Key').slice(inFolder.length),
          size: Number(textIn(entry, 'Size')),
        })),
        hasMore: textIn(xml, 'IsTruncated') === 'true',
      }
    },
    async delete(keys) {
      for (let at = 0; at < keys.length; at += DELETED_AT_ONCE) {
        const some = keys.slice(at, at + DELETED_AT_ONCE)
        await Promise.all(some.map((key) => ask(`${folder}/${key}`, { method: 'DELETE' }, 404)))
      }
    },
  }
}

/** Returns the text of the first element of this name; '' without one. Our keys need no entities. */
function textIn(xml: string, name: string): string {
  const from = xml.indexOf(`<${name}>`)
  return from < 0 ? '' : xml.slice(from + name.length + 2, xml.indexOf('<', from + 1))
}

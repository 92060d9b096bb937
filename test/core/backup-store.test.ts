import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backupStores } from '../../src/core/backup-store.ts'

const KEYS = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-central-1' }

/** A store that speaks S3's API and checks signatures as AWS describes them (Signature Version 4). */
class S3 {
  readonly objects = new Map<string, Uint8Array<ArrayBuffer>>()

  async fetch(request: Request): Promise<Response> {
    if (!(await isSigned(request))) return new Response('<Code>SignatureDoesNotMatch</Code>', { status: 403 })
    const url = new URL(request.url)
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '')
    if (url.searchParams.get('list-type') === '2') return this.#list(url.searchParams)
    const held = this.objects.get(key)
    switch (request.method) {
      case 'PUT': {
        const body = new Uint8Array(await request.arrayBuffer())
        if (Number(request.headers.get('Content-Length')) !== body.length)
          return new Response('', { status: 411 })
        this.objects.set(key, body)
        return new Response()
      }
      case 'DELETE':
        this.objects.delete(key)
        return new Response(null, { status: 204 })
      default:
        if (!held) return new Response('', { status: 404 })
        return new Response(request.method === 'HEAD' ? null : held, {
          headers: { 'Content-Length': String(held.length) },
        })
    }
  }

  #list(query: URLSearchParams): Response {
    const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
    const contents = keys
      .slice(0, 2)
      .map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>x</LastModified><Size>${this.objects.get(key)!.length}</Size></Contents>`,
      )
    const isTruncated = keys.length > 2
    return new Response(
      `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    )
  }
}

async function isSigned(request: Request): Promise<boolean> {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.get('Authorization') ?? '',
    )
  if (!found) return false
  const [, id = '', day = '', region = '', names = '', signature = ''] = found
  const url = new URL(request.url)
  const headers = names
    .split(';')
    .map((name) => `${name}:${name === 'host' ? url.host : request.headers.get(name)}\n`)
    .join('')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers,
    names,
    request.headers.get('X-Amz-Content-Sha256'),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers.get('X-Amz-Date'),
    scope,
    hex(await sha256(canonical)),
  ].join('\n')
  let key: BufferSource = new TextEncoder().encode(`AWS4${KEYS.secret}`)
  for (const part of [day, region, 's3', 'aws4_request', text]) key = await hmac(key, part)
  return id === KEYS.id && region === KEYS.region && hex(key as ArrayBuffer) === signature
}

const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('hex')
const sha256 = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const made = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return crypto.subtle.sign('HMAC', made, new TextEncoder().encode(text))
}

describe('a store of backups in S3', () => {
  const s3 = new S3()
  const [store] = backupStores({
    BACKUP_S3_URL: 'https://s3.example.com/bucket/folder/',
    BACKUP_S3_ACCESS_KEY: KEYS.id,
    BACKUP_S3_SECRET_KEY: KEYS.secret,
    BACKUP_S3_REGION: KEYS.region,
  })
  beforeEach(() => {
    vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
      s3.fetch(new Request(input, init)),
    )
  })
  afterEach(() => vi.unstubAllGlobals())
  const bytes = (text: string) => new TextEncoder().encode(text)

  it('keeps, finds and removes by keys below its folder', async () => {
    expect(await store!.sizeOf('chunks/1/a')).toBeUndefined()
    await store!.put('chunks/1/a', bytes('text'), 4)
    expect([...s3.objects.keys()]).toEqual(['folder/chunks/1/a'])
    expect(await store!.sizeOf('chunks/1/a')).toBe(4)
    expect(await new Response(await store!.get('chunks/1/a')).text()).toBe('text')
    await store!.delete(['chunks/1/a'])
    expect(await store!.get('chunks/1/a')).toBeUndefined()
  })

  it('lists in pages', async () => {
    for (const name of ['c', 'a', 'b']) await store!.put(`chunks/2/${name}`, bytes(name), 1)
    const first = await store!.list('chunks/2/', '')
    expect(first).toEqual({
      found: [
        { key: 'chunks/2/a', size: 1 },
        { key: 'chunks/2/b', size: 1 },
      ],
      hasMore: true,
    })
    expect(await store!.list('chunks/2/', 'chunks/2/b')).toEqual({
      found: [{ key: 'chunks/2/c', size: 1 }],
      hasMore: false,
    })
  })

  it('fails where the store refuses', async () => {
    const [other] = backupStores({
      BACKUP_S3_URL: 'https://s3.example.com/bucket',
      BACKUP_S3_ACCESS_KEY: KEYS.id,
      BACKUP_S3_SECRET_KEY: 'wrong',
      BACKUP_S3_REGION: KEYS.region,
    })
    await expect(other!.put('a', bytes('x'), 1)).rejects.toThrow('The store of backups answers 403 to PUT')
  })
})

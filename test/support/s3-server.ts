import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Server {
  /** Address of a bucket. */
  readonly url: string
  readonly objects: ReadonlyMap<string, Buffer>
  stop(): void
}

/** Opens a store on this machine that speaks as much of S3's API as backups use. It takes any signature. */
export async function openS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(pathname).replace(/^\/bucket\/?/, '')
    if (searchParams.get('list-type') === '2') return response.end(listOf(objects, searchParams))
    switch (request.method) {
      case 'PUT':
        objects.set(key, await bytesOf(request))
        return response.end()
      case 'DELETE':
        objects.delete(key)
        return response.writeHead(204).end()
      default: {
        const held = objects.get(key)
        if (!held) return response.writeHead(404).end()
        response.writeHead(200, { 'content-length': held.length })
        return response.end(request.method === 'HEAD' ? undefined : held)
      }
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/bucket`, objects, stop: () => server.close() }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function listOf(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const entries = keys
    .slice(0, 1_000)
    .map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)!.length}</Size></Contents>`)
  return `<ListBucketResult><IsTruncated>${keys.length > 1_000}</IsTruncated>${entries.join('')}</ListBucketResult>`
}

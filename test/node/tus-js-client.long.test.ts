import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import * as tus from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { fromJson } from '../support/json.ts'
import { found } from './found.ts'

const MIB = 1024 * 1024

let server: LocalServer
let ann: CreatedOrganization
let headers: Record<string, string>
beforeAll(async () => {
  server = await startLocalServer({ vars: { MAX_FILE_UPLOAD_MIB: '20' } })
  ann = await found(server)
  headers = { Authorization: `Basic ${btoa(`${ann.email}:${ann.api_key}`)}` }
})
afterAll(() => server.stop())

interface Answer {
  readonly method: string
  readonly status: number
  readonly offset: number
}

/** Uploads with the library. Returns the file of the last answer, and the facts of all answers. */
async function uploadBy(content: Buffer, options: Partial<tus.UploadOptions> = {}) {
  const answers: Answer[] = []
  const last = await new Promise<tus.HttpResponse>((resolve, reject) => {
    const upload = new tus.Upload(content, {
      endpoint: `${server.url}/api/v1/tus/`,
      headers,
      metadata: { filename: 'Plan.pdf', filetype: 'application/pdf' },
      retryDelays: [0, 100, 200],
      onAfterResponse(request, response) {
        answers.push({
          method: request.getMethod(),
          status: response.getStatus(),
          offset: Number(response.getHeader('Upload-Offset')),
        })
      },
      onSuccess: ({ lastResponse }) => resolve(lastResponse),
      onError: reject,
      ...options,
    })
    upload.start()
  })
  return { answers, file: fromJson(last.getBody()) }
}

async function expectStored(url: string, content: Buffer): Promise<void> {
  const response = await fetch(`${server.url}${url}`, { headers })
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
}

/** Opens a proxy to the server that cuts the first connection that reaches the given number of bytes. */
async function cuttingAfter(bytes: number) {
  let hasCut = false
  const way = createServer((client) => {
    const target = connect(Number(new URL(server.url).port), '127.0.0.1')
    let passed = 0
    client.on('data', (chunk) => {
      passed += chunk.length
      target.write(chunk)
      if (hasCut || passed < bytes) return
      hasCut = true
      // The bytes that were written still arrive, then the connection ends.
      target.end()
      client.destroy()
    })
    target.on('data', (chunk) => client.write(chunk))
    target.on('close', () => client.destroy())
    client.on('close', () => target.destroySoon())
    for (const socket of [client, target]) socket.on('error', () => {})
  })
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  return { url: `http://127.0.0.1:${(way.address() as AddressInfo).port}`, close: () => way.close() }
}

describe('the tus library, unmodified,', () => {
  it('uploads a file, and reads its address from the last answer', async () => {
    const content = randomBytes(9 * MIB)
    const { answers, file } = await uploadBy(content)
    expect(file).toMatchObject({ result: 'success', filename: 'Plan.pdf', url: file.uri })
    expect(answers.map(({ method, status }) => [method, status])).toEqual([
      ['POST', 201],
      ['PATCH', 200],
    ])
    await expectStored(file.url, content)
  })

  it('sends it in chunks, or with the announcement, or as POST', async () => {
    const content = randomBytes(1_000)
    const inChunks = await uploadBy(content, { chunkSize: 300 })
    expect(inChunks.answers.map(({ status }) => status)).toEqual([201, 204, 204, 204, 200])
    const atOnce = await uploadBy(content, { uploadDataDuringCreation: true })
    expect(atOnce.answers.map(({ status }) => status)).toEqual([201])
    const posted = await uploadBy(content, { overridePatchMethod: true })
    for (const { file } of [inChunks, atOnce, posted]) await expectStored(file.url, content)
    const empty = await uploadBy(Buffer.alloc(0))
    await expectStored(empty.file.url, Buffer.alloc(0))
  })

  it('goes on by itself from where the connection broke', async () => {
    const content = randomBytes(12 * MIB)
    const way = await cuttingAfter(10 * MIB)
    const { answers, file } = await uploadBy(content, {
      endpoint: `${way.url}/api/v1/tus/`,
      // These delays give the server time to store what has arrived.
      retryDelays: [300, 1_000, 3_000],
    })
    way.close()
    const asked = answers.filter(({ method }) => method === 'HEAD')
    expect(asked.at(-1)?.offset).toBeGreaterThanOrEqual(8 * MIB)
    await expectStored(file.url, content)
  })

  it('terminates an upload that it has begun', async () => {
    const upload = new tus.Upload(randomBytes(1_000), {
      endpoint: `${server.url}/api/v1/tus/`,
      headers,
      chunkSize: 300,
    })
    await new Promise<void>((resolve, reject) => {
      upload.options.onChunkComplete = () => upload.abort(true).then(resolve, reject)
      upload.options.onError = reject
      upload.start()
    })
    const gone = await fetch(upload.url!, {
      method: 'HEAD',
      headers: { ...headers, 'Tus-Resumable': '1.0.0' },
    })
    expect(gone.status).toBe(404)
  })

  it('gets the reason when an upload is refused', async () => {
    const refused = uploadBy(Buffer.alloc(20 * MIB + 1))
    const error = await refused.then(
      () => undefined,
      (reason: tus.DetailedError) => reason,
    )
    const response = error?.originalResponse
    expect(response?.getStatus()).toBe(413)
    expect(fromJson(response!.getBody())).toMatchObject({
      result: 'error',
      message: "File is larger than this server's configured maximum upload size (20 MiB).",
    })
  })
})

/**
 * `npm run bench -- --worker-time`: the processor time of the Worker alone for each operation, with the objects, D1 and R2 in other
 * processes. Cloudflare's free plan gives a request of the Worker 10 ms, and an object 30 s.
 */
import { ApiClient, type ParameterValue } from '../scripts/api-client.ts'
import { accountOf } from './hostile-chat.ts'
import { buildLarge } from './large.ts'
import { flatPng, noisyJpeg } from './made-pictures.ts'
import { middle } from './middle.ts'
import type { ServerInParts } from './parts.ts'
import { processorMs } from './processor-time.ts'

export interface WorkerTime {
  readonly name: string
  /** Milliseconds of one request, in the median round. */
  readonly ms: number
  /** Milliseconds of the first request, for which the Worker has compiled nothing and has nothing in memory. */
  readonly firstMs: number
}

export interface TimesAtSize {
  readonly users: number
  readonly times: readonly WorkerTime[]
}

const WARM_UP = 30
const ROUNDS = 5
const REQUESTS_OF_A_ROUND = 20
/** Those that take long, or are limited by the hour. */
const FEW = { warmUp: 2, rounds: 3, requests: 2 } as const

interface Measured {
  readonly name: string
  readonly isLong?: true
  /** What precedes the request, and is not counted. */
  prepare?(at: number): Promise<unknown>
  ask(at: number): Promise<unknown>
}

export async function measureWorkerTime(server: ServerInParts, users: number): Promise<WorkerTime[]> {
  const { owner: first } = await buildLarge(server, { users, channels: 20, messages: 2_000 })
  const owner = new ApiClient(server.secondUrl, accountOf(first))
  const results: WorkerTime[] = []
  for (const measured of operationsOf(server, owner)) {
    process.stderr.write(`${measured.name} … `)
    results.push(await measure(server.secondPid(), measured))
  }
  return results
}

async function measure(pid: number, { name, isLong, prepare, ask }: Measured): Promise<WorkerTime> {
  const few = { warmUp: WARM_UP, rounds: ROUNDS, requests: REQUESTS_OF_A_ROUND, ...(isLong ? FEW : {}) }
  let at = 0
  const one = async () => {
    at += 1
    await prepare?.(at)
    const before = processorMs(pid)
    await ask(at)
    return processorMs(pid) - before
  }
  const firstMs = await one()
  for (let count = 0; count < few.warmUp; count += 1) await one()
  const rounds: number[] = []
  for (let round = 0; round < few.rounds; round += 1) {
    let spent = 0
    for (let count = 0; count < few.requests; count += 1) spent += await one()
    rounds.push(spent / few.requests)
  }
  return { name, ms: middle(rounds), firstMs }
}

function operationsOf(server: ServerInParts, owner: ApiClient): Measured[] {
  const call = (
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    params: Record<string, ParameterValue> = {},
  ) => owner.call<Record<string, never>>(method, path, params)
  const send = (at: number) =>
    call('POST', '/messages', {
      type: 'direct',
      to: [1],
      content: `Message *${at}* with a [link](https://example.com)`,
    })
  const read = async (path: string) => {
    const response = await owner.fetch(path, { method: 'GET', headers: owner.authorization() })
    const { length } = new Uint8Array(await response.arrayBuffer())
    if (!response.ok || length === 0) throw new Error(`${path}: ${response.status}`)
  }
  const uploaded = new Map<number, string>()
  const upload = async (at: number, file: Uint8Array<ArrayBuffer>, type: string) => {
    const body = new FormData()
    body.set('file', new File([file], `file-${at}`, { type }))
    const response = await owner.fetch('/api/v1/user_uploads', {
      method: 'POST',
      headers: owner.authorization(),
      body,
    })
    const { url } = (await response.json()) as { url: string }
    uploaded.set(at, url)
  }
  const forget = () => fetch(`${server.secondUrl}/dev/sections`, { method: 'DELETE' })
  const login = { username: owner.email!, password: 'measured words' }
  const jpeg = noisyJpeg(1_600, 1_200)
  return [
    { name: 'a message', ask: send },
    {
      name: 'a hundred messages',
      ask: () => call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 }),
    },
    {
      name: 'a hundred messages, none in memory',
      prepare: forget,
      ask: () => call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0 }),
    },
    {
      name: 'a search',
      ask: () =>
        call('GET', '/messages', {
          anchor: 'newest',
          num_before: 100,
          num_after: 0,
          narrow: [{ operator: 'search', operand: 'message' }],
        }),
    },
    { name: 'a registration', ask: () => call('POST', '/register') },
    { name: 'a registration, nothing in memory', prepare: forget, ask: () => call('POST', '/register') },
    { name: 'all people', ask: () => call('GET', '/users') },
    {
      name: 'a report of presence',
      ask: () => call('POST', '/users/me/presence', { status: 'active', last_update_id: -1 }),
    },
    { name: 'typing', ask: () => call('POST', '/typing', { op: 'start', to: [1] }) },
    { name: 'a mark of reading', ask: () => call('POST', '/messages/flags/narrow', MARK) },
    { name: 'the page', ask: () => read('/') },
    { name: 'a log-in', isLong: true, ask: () => call('POST', '/fetch_api_key', login) },
    {
      name: 'an upload of 1 MB',
      isLong: true,
      ask: (at) => upload(at, new Uint8Array(1_000_000), 'application/octet-stream'),
    },
    {
      name: 'a file of 1 MB',
      isLong: true,
      prepare: (at) => upload(at, new Uint8Array(1_000_000), 'application/octet-stream'),
      ask: (at) => read(uploaded.get(at)!),
    },
    {
      name: 'an upload of a photograph of 1,600 × 1,200',
      isLong: true,
      ask: (at) => upload(at, jpeg, 'image/jpeg'),
    },
    {
      name: 'its smaller form, for the first time',
      isLong: true,
      prepare: (at) => upload(at, jpeg, 'image/jpeg'),
      ask: (at) =>
        read(`${uploaded.get(at)!.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`),
    },
    {
      name: 'a picture of a person of 500 × 500',
      isLong: true,
      ask: () => owner.upload('POST', '/users/me/avatar', flatPng(500, 500)),
    },
  ]
}

const MARK = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [], op: 'add', flag: 'read' }

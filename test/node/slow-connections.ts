import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { LocalServer } from '../../scripts/local-server.ts'
import { readJson } from '../support/json.ts'
import { found } from './found.ts'

/** A connection whose client decides when each byte is sent and read. */
export class SlowConnection {
  readonly #socket: Socket
  #answer = ''
  readonly #begun = Promise.withResolvers<void>()

  constructor({ url }: Pick<LocalServer, 'url'>, isReading = true) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname)
    this.#socket.setEncoding('latin1')
    for (const event of ['error', 'close']) this.#socket.on(event, () => this.#begun.resolve())
    if (!isReading) return
    this.#socket.on('data', (text: string) => {
      this.#answer += text
      this.#begun.resolve()
    })
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  /** Sends text in as many pieces, with pauses. */
  async drip(text: string, pieces: number, pauseMs: number): Promise<void> {
    const length = Math.ceil(text.length / pieces)
    for (let at = 0; at < text.length; at += length) {
      this.send(text.slice(at, at + length))
      await wait(pauseMs)
    }
  }

  /** The status of the answer; NaN when the connection ends without one. */
  async status(): Promise<number> {
    await this.#begun.promise
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(this.#answer)?.[1])
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** The beginning of a request. */
export function head(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`${method} /api/v1${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** A form with one file, which is split where a test wants to pause. */
export function fileForm(bytes: number): { readonly type: string; readonly text: string } {
  const boundary = 'between'
  const begin = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    text: `${begin}${'y'.repeat(bytes)}\r\n--${boundary}--\r\n`,
  }
}

export interface Account {
  readonly authorization: string
  /** Asks the API, and returns the status with the answer. */
  ask(method: string, path: string, params?: Record<string, unknown>): Promise<Answer>
  upload(bytes: number): Promise<number>
}

interface Answer {
  readonly status: number
  readonly ms: number
  readonly body: Record<string, unknown>
}

/** Founds an organization with its owner, and as many other accounts. */
export async function accountsAt(server: LocalServer, others: number): Promise<Account[]> {
  const { email, api_key } = await found(server)
  const owner = account(server, email, api_key)
  const accounts = [owner]
  for (let number = 1; number <= others; number += 1) {
    const person = { email: `person${number}@example.com`, password: 'a long pass phrase' }
    await owner.ask('POST', '/users', { ...person, full_name: `Person ${number}` })
    const login = { username: person.email, password: person.password }
    const { body } = await owner.ask('POST', '/fetch_api_key', login)
    accounts.push(account(server, person.email, String(body.api_key)))
  }
  return accounts
}

function account({ url }: LocalServer, email: string, key: string): Account {
  const authorization = `Basic ${btoa(`${email}:${key}`)}`
  // A connection that has waited since the last request may be closed just then.
  const headers = { authorization, connection: 'close' }
  return {
    authorization,
    async ask(method, path, params = {}) {
      const fields = Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
      const form = new URLSearchParams(fields)
      const began = Date.now()
      const response = await (method === 'GET'
        ? fetch(`${url}/api/v1${path}?${form}`, { headers })
        : fetch(`${url}/api/v1${path}`, { method, headers, body: form }))
      const body = await readJson<Record<string, unknown>>(response)
      return { status: response.status, ms: Date.now() - began, body }
    },
    async upload(bytes) {
      // Written by hand: a package under test in the same process puts its own FormData in place of Node's.
      const head = '--part\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
      const body = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes), Buffer.from('\r\n--part--\r\n')])
      const response = await fetch(`${url}/api/v1/user_uploads`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'multipart/form-data; boundary=part' },
        body,
      })
      await response.body?.cancel()
      return response.status
    },
  }
}

/** Does what takes memory: a long page, a large form, and an upload. Returns the statuses. */
export async function work(who: Account): Promise<number[]> {
  const page = await who.ask('GET', '/messages', { anchor: 'newest', num_before: 200, num_after: 0 })
  const form = await who.ask('POST', '/messages/render', { content: 'hello', unknown: 'x'.repeat(200_000) })
  return [page.status, form.status, await who.upload(400_000)]
}

/** Starts thousands of clients that listen to a Worker from inside its process (worker.ts), and collects what they receive. */

import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import type { Miniflare } from 'miniflare'
import { fromJson } from '../../scripts/json.ts'
import type { WorkerOptions } from '../../scripts/runtime.ts'
import { compatibilityDate } from '../bare/start-bare.ts'

/** The request of a listening client: `url` has LAST in place of the last event's id. */
export interface Listener {
  readonly url: string
  readonly headers: Record<string, string>
}

/** The times after which listeners had a message, in whole ms after it was sent. */
export interface Heard {
  readonly count: number
  readonly first: number
  readonly median: number
  readonly last: number
}

const NAME = 'listeners'
const OPENED_IN_ONE_REQUEST = 200
const MAX_MS = 120_000

/** Returns a Worker with listeners, to be started along with the Worker of this name. */
export function listenersWorker(target: string): WorkerOptions {
  const source = readFileSync(join(import.meta.dirname, 'worker.ts'), 'utf8')
  const { code } = transformSync(source, { loader: 'ts', target: 'es2024' })
  return {
    name: NAME,
    modules: [{ type: 'ESModule', path: 'listeners.js', contents: code }],
    compatibilityDate: compatibilityDate(),
    durableObjects: { LISTENERS: { className: 'Listeners', useSQLite: true } },
    serviceBindings: { TARGET: target },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  }
}

/** The listeners of one runtime. */
export class Listening {
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  static async of(runtime: Miniflare): Promise<Listening> {
    return new Listening((await runtime.unsafeGetDirectURL(NAME)).origin)
  }

  async begin(way: 'streams' | 'polls', all: readonly Listener[]): Promise<void> {
    for (let at = 0; at < all.length; at += OPENED_IN_ONE_REQUEST) {
      const body = JSON.stringify(all.slice(at, at + OPENED_IN_ONE_REQUEST))
      await this.#ask(way, { body })
    }
  }

  /** Posts a form that contains `sent`, which is `heard-` and a number. */
  async send(sent: string, { url, headers }: Listener, form: URLSearchParams): Promise<void> {
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
    await this.#ask('send', {
      headers: { ...headers, ...type, 'X-Sent': sent, 'X-Url': url },
      body: form.toString(),
    })
  }

  /** Resolves when this number of listeners have received all of these. */
  async heard(count: number, sent: readonly string[]): Promise<Heard[]> {
    for (const began = performance.now(); ; ) {
      const { heard } = await this.#heard()
      const found = sent.map((one) => heard[one]!)
      if (found.every((one) => one.count >= count)) return found
      if (performance.now() - began > MAX_MS) {
        throw new Error(`${Math.min(...found.map((one) => one.count))} of ${count} have heard all`)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  /** The number of characters that one listener gets at a time. */
  async charactersOfFrame(): Promise<number> {
    return (await this.#heard()).charactersOfFrame
  }

  async stop(): Promise<void> {
    await this.#ask('stop')
  }

  async #heard() {
    return fromJson<{ heard: Record<string, Heard>; charactersOfFrame: number }>(await this.#ask('heard'))
  }

  /** Asks over a connection of its own, since the local runtime closes idle ones. */
  #ask(
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const asked = request(`${this.#url}/${path}`, { method, headers, agent: false }, async (response) => {
        let text = ''
        for await (const chunk of response.setEncoding('utf8')) text += chunk
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${path}: ${response.statusCode} ${text}`))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }
}

/** A client for load tests: keep-alive connections, many requests, and their results. */
import { Agent, request as httpRequest } from 'node:http'

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** The whole URL. */
  readonly url: string
  readonly form?: URLSearchParams
  readonly headers?: Record<string, string>
}

export interface Reply {
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}

class StaleConnectionError extends Error {}

/** Keeps one connection open for each concurrent request. */
export class Connections {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' })

  /**
   * Sends a request. Retries it only if the server closed a kept connection at the moment of its reuse.
   * @throws {Error} for every answer but a 200.
   */
  async ask(ask: Ask): Promise<Reply> {
    for (;;) {
      try {
        return await this.#once(ask)
      } catch (error) {
        if (!(error instanceof StaleConnectionError)) throw error
      }
    }
  }

  #once({ method, url, form, headers }: Ask): Promise<Reply> {
    const body = form?.toString()
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        url,
        {
          method,
          agent: this.#agent,
          headers: {
            ...headers,
            ...(body === undefined
              ? {}
              : {
                  'Content-Type': 'application/x-www-form-urlencoded',
                  'Content-Length': String(Buffer.byteLength(body)),
                }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            if (incoming.statusCode === 200 || incoming.statusCode === 204)
              resolve({ headers: incoming.headers, text })
            else reject(new Error(`${method} ${url} answered ${incoming.statusCode}: ${text.slice(0, 300)}`))
          })
        },
      )
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET'
        reject(isStale ? new StaleConnectionError(url) : error)
      })
      outgoing.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/**
 * Returns the number of requests answered in a second, with `lanes` requests always under way. The first part of the time does not
 * count. On a busy machine the measurement goes on until `atLeast` requests have been answered.
 */
export async function saturate(
  lanes: number,
  seconds: number,
  make: () => Ask,
  atLeast = 0,
): Promise<number> {
  const connections = new Connections()
  const began = performance.now()
  const countFrom = began + 150
  const until = countFrom + seconds * 1_000
  let [counted, last] = [0, countFrom]
  const isOver = () => performance.now() >= until && counted >= atLeast
  const lane = async () => {
    while (!isOver()) {
      await connections.ask(make())
      if (performance.now() < countFrom || isOver()) continue
      counted += 1
      last = performance.now()
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  connections.close()
  return counted / Math.max(seconds, (last - countFrom) / 1_000)
}

export interface Latencies {
  readonly min: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Returns times in ms, from the moment each request was due, at a rate that leaves the server idle in between. */
export async function pace(perSecond: number, seconds: number, make: () => Ask): Promise<Latencies> {
  const connections = new Connections()
  const times: number[] = []
  const pending: Promise<void>[] = []
  const began = performance.now()
  const count = Math.ceil(perSecond * seconds)
  for (let index = 0; index < count; index += 1) {
    const due = began + (index * 1_000) / perSecond
    // A timer may go off a little early.
    for (let wait = due - performance.now(); wait > 0; wait = due - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    pending.push(
      connections.ask(make()).then(() => {
        times.push(performance.now() - due)
      }),
    )
  }
  await Promise.all(pending)
  connections.close()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { min: at(0), p50: at(0.5), p95: at(0.95), p99: at(0.99), max: times.at(-1) ?? 0 }
}

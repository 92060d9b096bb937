import { request } from 'node:http'
import { Readable } from 'node:stream'

/** Whether an address is on this machine by its name. Not every machine can look up names under `localhost`. */
export function isUnderLocalhost(url: string): boolean {
  return new URL(url).hostname.endsWith('.localhost')
}

/**
 * Makes a request like `fetch`, but to the server on this machine, whatever the name in the address means elsewhere: `fetch` looks the name
 * up, and chooses the header Host by itself. Each request has a connection of its own.
 * @throws {TypeError} `fetch failed` if nobody answers, as `fetch` does
 */
export async function fetchHere(url: string, init: RequestInit = {}): Promise<Response> {
  const { host, port, pathname, search } = new URL(url)
  const asked = new Request(url, init)
  const body = Buffer.from(await asked.arrayBuffer())
  const headers = { ...Object.fromEntries(asked.headers), host, 'content-length': String(body.length) }
  const options = { host: '127.0.0.1', port, path: pathname + search, method: asked.method, headers }
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false, signal: asked.signal }, (answer) => {
      const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const status = answer.statusCode ?? 500
      const hasBody = asked.method !== 'HEAD' && ![204, 205, 304].includes(status)
      const content = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null
      if (!hasBody) answer.resume()
      const response = new Response(content, { status, headers: fields })
      resolve(Object.defineProperty(response, 'url', { value: url }))
    })
    sent.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    sent.end(body)
  })
}

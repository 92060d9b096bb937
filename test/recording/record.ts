import { env } from 'cloudflare:workers'
import { expect } from 'vitest'

/** A request of a test and its answer, as `npm run compare` keeps them. */
export interface Exchange {
  /** The test file, below the project. */
  readonly file: string
  /** The test's name with those of its groups; of a request before all tests, the name of the file's last test before it. */
  readonly test: string
  /** The place among the test's requests, in the order in which they began. */
  readonly at: number
  /** Method, path and query. */
  readonly request: string
  /** Headers and body, as far as they decide the answer. */
  readonly sent: string
  readonly status: number
  /** The body, if it is text. */
  readonly answer: string | undefined
}

const RECORDS = env.RECORD !== ''
/** Headers without which the same request may have another answer. */
const TELLING = ['authorization', 'user-agent', 'x-feature-level', 'content-type', 'range', 'if-none-match']
const IS_TEXT = /json|text|xml/

let kept: Promise<Exchange>[] = []
let last = { test: '', requests: 0 }

/** Makes a request by `ask`, and keeps it with its answer if this run is recorded. */
export async function recorded(
  request: Request,
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (!RECORDS) return ask(request)
  const { currentTestName: test = '', testPath: file = '' } = expect.getState()
  last = { test, requests: last.test === test ? last.requests + 1 : 0 }
  const { requests: at } = last
  const { pathname, search, host } = new URL(request.url)
  const headers = TELLING.map((name) => `${name}: ${request.headers.get(name)}`)
  const body = request.body ? new TextDecoder().decode(await request.clone().arrayBuffer()) : ''
  const response = await ask(request)
  const isText = IS_TEXT.test(response.headers.get('content-type') ?? '')
  const answer = isText && response.body ? response.clone().text() : Promise.resolve(undefined)
  const facts = { file, test, at, request: `${request.method} ${pathname}${search}`, status: response.status }
  const sent = [`host: ${host}`, ...headers, '', body].join('\n')
  // A test may leave an answer that never ends.
  kept.push(
    answer.then(
      (text) => ({ ...facts, sent, answer: text }),
      () => ({ ...facts, sent, answer: undefined }),
    ),
  )
  return response
}

/** Hands what was kept since the last call to the process that runs the tests (recorder.ts). */
export async function handOver(): Promise<void> {
  if (!RECORDS || kept.length === 0) return
  const ending = kept.map((exchange) => Promise.race([exchange, scheduler.wait(2_000)]))
  kept = []
  const exchanges = (await Promise.all(ending)).filter((exchange) => exchange !== undefined)
  await env.RECORDER.fetch('http://recorder/', { method: 'POST', body: JSON.stringify(exchanges) })
}

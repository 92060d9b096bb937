import { type ApiResponse, askWorker } from './api.ts'
import { requireDeclaredAnswer } from './declared-answers.ts'
import type { TestUser } from './factories.ts'
import { fromJson } from './json.ts'

interface Post {
  /** JSON unless it is text; text as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Address = Readonly<Record<string, string | number | readonly string[]>>

/** Returns the address of an integration. Lists in it are JSON. */
export function serviceAddress(
  { api: { host } }: Pick<TestUser, 'api'>,
  integration: string,
  address: Address,
): URL {
  const url = new URL(`http://${host}/api/v1/external/${integration}`)
  for (const [name, value] of Object.entries(address)) {
    url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return url
}

/** Posts to an integration as a service does, which only the address identifies. */
export async function postAsService(
  bot: Pick<TestUser, 'api'>,
  integration: string,
  address: Address,
  { body = {}, headers = {} }: Post = {},
): Promise<ApiResponse> {
  const url = serviceAddress(bot, integration, address)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await askWorker(
    new Request(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': String(new TextEncoder().encode(text).length),
        ...headers,
      },
      body: text,
    }),
  )
  const answer = await response.text()
  const json = answer === '' ? undefined : fromJson(answer)
  requireDeclaredAnswer('POST', `/external/${integration}`, response.status, json)
  return { status: response.status, headers: response.headers, body: json }
}

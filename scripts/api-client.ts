/** A client of the API over real HTTP, for the demo and the benchmark. It uses only what any client may use. */
import { fetchHere, isUnderLocalhost } from './fetch-here.ts'
import { readAnswer } from './organizations.ts'

/** Headers that give each request a connection of its own: the local runtime closes an idle one after some seconds, perhaps just as it is reused. */
const OF_ITS_OWN = { Connection: 'close' }

export type ParameterValue = string | number | boolean | null | object

/** One account at one server, or a caller without an account. */
export class ApiClient {
  readonly url: string
  readonly email: string | undefined
  readonly #apiKey: string | undefined
  readonly #isHere: boolean

  /**
   * @param url the server's address, without a slash at the end
   * @param isHere whether the server is on this machine, whatever the name in its address
   */
  constructor(
    url: string,
    account?: { email: string; api_key: string },
    isHere: boolean = isUnderLocalhost(url),
  ) {
    this.url = url
    this.#isHere = isHere
    this.email = account?.email
    this.#apiKey = account?.api_key
  }

  /**
   * Returns the body of a success. Sends parameters other than text as JSON (docs/interface/conventions.md#parameters).
   * @throws {Error} with the server's words when it refuses.
   */
  async call<Answer = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    params: Record<string, ParameterValue> = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const fields = encodeFields(params)
    const inQuery = method === 'GET'
    const response = await this.fetch(`/api/v1${path}${inQuery ? `?${fields}` : ''}`, {
      method,
      headers: { ...this.authorization(), ...OF_ITS_OWN, 'User-Agent': 'ParleyScript/1.0' },
      body: inQuery ? undefined : fields,
      signal,
    })
    return (await readAnswer(response)) as Answer
  }

  /**
   * Sends a picture as the only file of a form.
   * @throws {Error} with the server's words when it refuses.
   */
  async upload<Answer = Record<string, unknown>>(
    method: 'POST' | 'PATCH',
    path: string,
    png: Uint8Array<ArrayBuffer>,
  ): Promise<Answer> {
    const body = new FormData()
    body.set('file', new File([png], 'picture.png', { type: 'image/png' }))
    const response = await this.fetch(`/api/v1${path}`, { method, headers: this.authorization(), body })
    return (await readAnswer(response)) as Answer
  }

  authorization(): Record<string, string> {
    return this.email === undefined ? {} : { Authorization: `Basic ${btoa(`${this.email}:${this.#apiKey}`)}` }
  }

  /** Returns a client of the same server for another account, with the key that the local server gives out (development only). */
  async logIn(email: string): Promise<ApiClient> {
    const account = await this.call<{ email: string; api_key: string }>('POST', '/dev_fetch_api_key', {
      username: email,
    })
    return new ApiClient(this.url, account, this.#isHere)
  }

  /** Makes a request below the server's address. */
  fetch(path: string, init: RequestInit): Promise<Response> {
    return (this.#isHere ? fetchHere : fetch)(this.url + path, init)
  }
}

export function encodeFields(params: Record<string, ParameterValue>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

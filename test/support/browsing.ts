import { type ApiResponse, askWorker, type ParameterValue } from './api.ts'
import { fromJson } from './json.ts'

/** A browser of one user at one organization: it keeps cookies, and makes the requests that a client's pages would. */
export class Browser {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  constructor(host: string) {
    this.origin = `http://${host}`
  }

  /** Makes a request as a page of the organization does; `headers` override its headers. */
  async ask(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookies.size > 0) {
      headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const request = new Request(`${this.origin}${path}`, { ...init, method, headers, redirect: 'manual' })
    const response = await askWorker(request)
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  /** POST /accounts/login/ */
  logIn(username: string, password: string, more: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({ username, password, ...more })
    return this.ask('POST', '/accounts/login/', { body, headers: { Origin: this.origin } })
  }

  /** Makes a request to the API below /json, with the CSRF token where it is needed. */
  async json(
    method: string,
    path: string,
    params: Record<string, ParameterValue> = {},
    headers?: Record<string, string>,
  ): Promise<ApiResponse> {
    const fields = new URLSearchParams(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const isReading = method === 'GET' || method === 'HEAD'
    const token: Record<string, string> = isReading
      ? {}
      : { 'X-CSRFToken': this.cookies.get('csrftoken') ?? '' }
    const response = await this.ask(method, `/json${path}${isReading ? `?${fields}` : ''}`, {
      headers: headers ?? token,
      body: isReading ? undefined : fields,
    })
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ')
    const [name = '', value = ''] = pair.split('=')
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }
}

/** The JSON of an answer, or undefined when it has no body. */
function parsed(text: string): unknown {
  return text === '' ? undefined : fromJson(text)
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'

/** What a path of the provider answers in place of what it should. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An OpenID Connect provider on this machine, which says whatever a test wants. */
export interface IdentityProvider {
  readonly issuer: string
  /** `host:port`, for the server's setting of allowed hosts. */
  readonly host: string
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  readonly server: OAuth2Server
  /** Claims of the ID tokens to come, over those that belong there. */
  claims: Record<string, unknown>
  /** Changes header and claims of the next ID tokens before they are signed. */
  change: (token: MutableToken) => void
  /** Changes the answers of the token endpoint. */
  answer: (response: MutableResponse) => void | Promise<void>
  /** Changes what the provider says about itself. */
  describe: (metadata: Record<string, unknown>) => void
  info: Record<string, unknown>
  readonly paths: Map<string, Answer>
  reset(): void
  stop(): Promise<void>
}

const SUBJECT = { sub: 'subject-1', email: 'ann@example.com', email_verified: true, name: 'Ann' }

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  const paths = new Map<string, Answer>()
  const asked: string[] = []
  const listener = createServer((request, response) => {
    const path = request.url!.split('?', 1)[0]!
    asked.push(path)
    const answer = paths.get(path)
    if (answer) answer(request, response)
    else server.service.requestHandler(request, response)
  })
  // By default it closes connections that a busy machine has left alone for seconds.
  listener.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  server.issuer.url = `http://${host}`
  const provider: IdentityProvider = {
    issuer: server.issuer.url,
    host,
    asked,
    server,
    paths,
    claims: {},
    change: () => {},
    answer: () => {},
    describe: () => {},
    info: {},
    reset() {
      paths.clear()
      asked.length = 0
      Object.assign(provider, {
        claims: {},
        change: () => {},
        answer: () => {},
        describe: () => {},
        info: {},
      })
    },
    async stop() {
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
  server.service.on('beforeTokenSigning', (token: MutableToken) => {
    Object.assign(token.payload, SUBJECT, provider.claims)
    provider.change(token)
  })
  server.service.on('beforeResponse', (response: MutableResponse) => provider.answer(response))
  server.service.on('beforeUserinfo', ({ body }: MutableResponse) => Object.assign(body, provider.info))
  server.service.on('beforeWellKnownOpenIdConfiguration', ({ body }: { body: Record<string, unknown> }) =>
    provider.describe(body),
  )
  return provider
}

/** A browser that keeps the cookies of one host, and follows no redirect by itself. */
export class PlainBrowser {
  readonly cookies = new Map<string, string>()

  async get(address: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = new Headers(init.headers)
    // A connection that was left alone for seconds may be closed just when it is used again.
    headers.set('Connection', 'close')
    if (cookie !== '') headers.set('Cookie', cookie)
    const response = await fetch(address, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '' || /Max-Age=0/.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return response
  }

  /** Logs in at the provider, and returns the address of this server to which it sends back. */
  async goToProvider(start: string): Promise<string> {
    const sent = await this.get(start)
    if (sent.status !== 302) throw new Error(`${sent.status}: ${await sent.text()}`)
    const back = await fetch(sent.headers.get('Location')!, { redirect: 'manual' })
    return back.headers.get('Location')!
  }
}

import { askWorker } from './api.ts'
import { expectSuccess, type TestRealm } from './factories.ts'
import { fromJson, type Json } from './json.ts'

/** An answer to an identity provider. */
export interface ScimResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** An identity provider: sends requests as they are, with a token. */
export class ScimClient {
  readonly host: string
  readonly token: string

  constructor(host: string, token: string) {
    this.host = host
    this.token = token
  }

  /** `body`: JSON, or a text that is sent as it is. `path`: below /scim/v2, with the query. */
  async request(
    method: string,
    path: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ScimResponse> {
    const response = await askWorker(
      new Request(`http://${this.host}/scim/v2${path}`, {
        method,
        headers: {
          ...(this.token === '' ? {} : { Authorization: `Bearer ${this.token}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/scim+json; charset=utf-8' }),
          ...headers,
        },
        body: typeof body === 'object' ? JSON.stringify(body) : body,
      }),
    )
    const text = await response.text()
    const answer = text === '' ? undefined : fromJson(text)
    return { status: response.status, headers: response.headers, body: answer }
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ScimResponse> {
    return this.request('GET', path, undefined, headers)
  }

  /** Sends operations as a PATCH. */
  patch(path: string, ...operations: readonly object[]): Promise<ScimResponse> {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
    return this.request('PATCH', path, { schemas, Operations: operations })
  }

  /** Makes an account and returns its resource. */
  async makeUser(userName: string, more: object = {}): Promise<Json> {
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
    const made = await this.request('POST', '/Users', { schemas, userName, displayName: 'Nora New', ...more })
    if (made.status !== 201) throw new Error(`No user: ${JSON.stringify(made.body)}`)
    return made.body
  }
}

/** Connects an identity provider to an organization. */
export async function connectProvider(
  realm: TestRealm,
  options: { readonly manages_owners?: boolean; readonly end_former?: boolean } = {},
): Promise<ScimClient> {
  const { token } = expectSuccess(await realm.owner.api.post('/scim_token', options))
  return new ScimClient(realm.host, token)
}

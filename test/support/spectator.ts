import type { ApiResponse } from './api.ts'
import { Browser } from './browsing.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { world } from './world.ts'

/** Settings of a deployment that allows reading without an account. */
export const WEB_PUBLIC = { WEB_PUBLIC_STREAMS_ENABLED: 'on' }

/** A client without an account and without cookies. */
export class Spectator extends Browser {
  /** Fetches messages; terms of the narrow may be pairs. */
  get(path: string, params: Record<string, string | number | boolean | object> = {}): Promise<ApiResponse> {
    const { narrow } = params
    return this.json(
      'GET',
      path,
      Array.isArray(narrow) ? { ...params, narrow: narrow.map(termOf) } : params,
      {},
    )
  }

  messages(params: Record<string, string | number | boolean | object> = {}): Promise<ApiResponse> {
    const narrow = [['channels', 'web-public']]
    return this.get('/messages', { anchor: 'newest', num_before: 100, narrow, ...params })
  }

  register(params: Record<string, string | number | boolean | object> = {}): Promise<ApiResponse> {
    return this.json('POST', '/register', params, {})
  }
}

function termOf(term: object): object {
  return Array.isArray(term) ? { operator: term[0], operand: term[1] } : term
}

export async function allowSpectators(realm: TestRealm, isAllowed = true): Promise<void> {
  expectSuccess(await realm.owner.api.patch('/realm', { enable_spectator_access: isAllowed }))
}

/** Creates a web-public channel, with the deployment's switch on. */
export async function openChannel(
  owner: TestUser,
  name: string,
  settings: Record<string, string | number | boolean> = {},
): Promise<number> {
  world.settings = { ...world.settings, ...WEB_PUBLIC }
  const subscriptions = [{ name }]
  expectSuccess(
    await owner.api.post('/users/me/subscriptions', { subscriptions, is_web_public: true, ...settings }),
  )
  return expectSuccess(await owner.api.get('/get_stream_id', { stream: name })).stream_id
}

export async function say(by: TestUser, to: number, topic: string, content: string): Promise<number> {
  return expectSuccess(await by.api.post('/messages', { type: 'channel', to, topic, content })).id
}

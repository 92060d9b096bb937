import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, vi } from 'vitest'
import { type ParameterValue, realmStub } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { inRealm } from './inside.ts'
import { world } from './world.ts'

/** A call of an outgoing webhook, as its server got it. */
export interface PostedWebhook {
  readonly headers: Record<string, string>
  readonly body: string
}

export interface TestWebhook {
  readonly id: number
  readonly name: string
  readonly email: string
  /** As the answer of its making showed it. */
  readonly secret: string
}

let hooks = 0

/** Stands for the server that an organization's outgoing webhooks call, reset before each test. */
export function receiveWebhooks(realm: TestRealm) {
  /** Address that only this organization uses: those of other files live in the same isolate. */
  const url = () => `https://${realm.host.split('.')[0]}.hooks.example.com/in`
  const server = {
    posted: [] as PostedWebhook[],
    /** What the server answers; `{}` unless a test says otherwise. */
    answer: (): Response | Promise<Response> => new Response('{}'),
    async build(owner: TestUser, settings: Record<string, ParameterValue> = {}): Promise<TestWebhook> {
      hooks += 1
      const account = { full_name: `Signed ${hooks}`, short_name: `signed-${hooks}`, bot_type: 3 }
      const { user_id, webhook_secret } = expectSuccess(
        await owner.api.post('/bots', { ...account, payload_url: url(), ...settings }),
      )
      const email = `${account.short_name}-bot@${realm.host}`
      return { id: user_id, name: account.full_name, email, secret: webhook_secret }
    },
    /** Runs everything that is due `seconds` from now, and waits for its end. */
    async work(seconds = 1): Promise<void> {
      world.clockOffset += seconds
      await runDurableObjectAlarm(realmStub(realm.id))
      await inRealm(realm, async ({ parts }) => {
        while (!parts.lanes.isIdle) await scheduler.wait(1)
      })
    },
  }
  beforeEach(() => {
    server.posted = []
    server.answer = () => new Response('{}')
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (target, init) => {
      if (String(target) !== url()) return new Response('{}')
      server.posted.push({ headers: init?.headers as Record<string, string>, body: String(init?.body) })
      return server.answer()
    })
  })
  afterEach(() => vi.restoreAllMocks())
  return server
}

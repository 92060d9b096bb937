import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, vi } from 'vitest'
import { realmStub } from './api.ts'
import { bodyDatabase } from './body-database.ts'
import { expectSuccess, type TestRealm } from './factories.ts'
import { forgetTexts } from './forget-texts.ts'
import { inRealm } from './inside.ts'
import { type RealmHealth, readRestoreFinding, realmHealth } from './inside-work.ts'
import { neverEvict } from './never-evict.ts'
import { useReliableD1 } from './reliable-d1.ts'
import { useRealmPerTest } from './use-realm.ts'
import { type D1Interceptor, world } from './world.ts'

/** An interceptor with which every call of D1 fails. */
export const down: D1Interceptor = async () => {
  throw new Error('D1 is down')
}

/** For files about outages of D1: gives each test an organization without pending writes, and silences the log. */
export function useOutages(): OutageRealm {
  const outages = new OutageRealm()
  neverEvict()
  useReliableD1()
  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })
  const { realm } = useRealmPerTest()
  beforeEach(async () => {
    outages.realm = realm
    await outages.untilCaughtUp()
    await outages.realm.owner.api.get('/users/me')
  })
  return outages
}

class OutageRealm {
  realm!: TestRealm

  /** Returns the parameters of the owner's message to themselves. */
  note(content: string): { type: string; to: number[]; content: string } {
    return { type: 'direct', to: [this.realm.owner.id], content }
  }

  async send(content: string): Promise<number> {
    return expectSuccess(await this.realm.owner.api.post('/messages', this.note(content))).id
  }

  async contents(ids: readonly number[]): Promise<string[]> {
    await forgetTexts()
    const asked = { message_ids: ids, apply_markdown: false }
    const { messages } = expectSuccess(await this.realm.owner.api.get('/messages', asked))
    return messages.map(({ content }: { content: string }) => content)
  }

  /** Returns the texts in D1, by message id. */
  async bodies(): Promise<Record<number, string>> {
    const { results } = await bodyDatabase
      .prepare('SELECT message_id, content FROM message_body WHERE realm_id = ? ORDER BY message_id')
      .bind(this.realm.id)
      .all<{ message_id: number; content: string }>()
    return Object.fromEntries(results.map(({ message_id, content }) => [message_id, content]))
  }

  /** Makes D1 answer again, and sets the clock to the next retry. */
  async comeBack(): Promise<void> {
    world.d1 = (call) => call()
    world.clockOffset += 100
    await runDurableObjectAlarm(realmStub(this.realm.id))
    await this.untilCaughtUp()
  }

  /** Waits until D1 has all that is in the log. */
  async untilCaughtUp(): Promise<void> {
    await expect.poll(() => this.isCaughtUp()).toBe(true)
  }

  isCaughtUp(): Promise<boolean> {
    return inRealm(this.realm, ({ parts }) => {
      parts.projector.passEvents()
      return (
        parts.projector.projected === parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id
      )
    })
  }

  health(): Promise<RealmHealth> {
    return inRealm(this.realm, ({ parts }) => realmHealth(parts))
  }

  /** The last restoration of D1 or the object that was noticed. */
  restored() {
    return inRealm(this.realm, ({ parts }) => readRestoreFinding(parts.sql))
  }
}

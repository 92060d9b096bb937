import { expect, it } from 'vitest'
import type { TestRealm } from '../../support/factories.ts'
import { fromJson, type Json } from '../../support/json.ts'
import { connectProvider } from '../../support/scim.ts'
import { useRealm } from '../../support/use-realm.ts'
import { ENTRA } from './recorded/entra.ts'
import { OKTA, OKTA_AGENT } from './recorded/okta.ts'
import type { Recorded } from './recorded/recording.ts'

const { realm: ofOkta, member: oktaMember } = useRealm({ member: 'member' })
const { realm: ofEntra, member: entraMember } = useRealm({ member: 'member' })

/** Plays requests one after the other, and compares each answer. */
async function play(realm: TestRealm, memberId: number, recorded: readonly Recorded[], agent: string) {
  const scim = await connectProvider(realm)
  const values: Record<string, string> = { member: String(memberId) }
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!)
  const parsed = (value: object): Json => fromJson(filled(JSON.stringify(value)))
  for (const { step, method, path, body, status, answer, keepsId } of recorded) {
    const headers = { 'User-Agent': agent, Accept: 'application/scim+json' }
    const sent = body === undefined ? undefined : (parsed(body) as object)
    const got = await scim.request(method, filled(path), sent, headers)
    expect([step, got.status, got.body?.detail]).toEqual([step, status, got.body?.detail])
    if (keepsId !== undefined) values[keepsId] = got.body.id
    if (answer) expect({ step, ...got.body }).toMatchObject({ step, ...parsed(answer) })
    else expect([step, got.body]).toEqual([step, undefined])
    if (got.body !== undefined) expect(got.headers.get('Content-Type')).toBe('application/scim+json')
  }
}

it('Okta’s requests get the answers that it needs', async () => {
  await play(ofOkta, oktaMember.id, OKTA, OKTA_AGENT)
})

it('Entra’s requests get the answers that it needs', async () => {
  await play(ofEntra, entraMember.id, ENTRA, 'SCIM provisioning')
})

import { describe, expect, it } from 'vitest'
import { REALM_GROUP_SETTINGS } from '../../../src/rules/group-settings.ts'
import type { ParameterValue } from '../../support/api.ts'
import { withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { openQueue } from '../../support/queues.ts'

import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'
import { ACTS, type Act, HARMLESS, requestOf, type Scene, WITH_PASSWORD } from './acts-that-need-a-proof.ts'

const PASSWORD = 'a fine password'
const FIFTEEN_MINUTES = 15 * 60
const ASKED = {
  status: 403,
  body: {
    result: 'error',
    msg: 'Confirm that it is you, or log in again, to do this.',
    code: 'REAUTHENTICATION_REQUIRED',
  },
}

const organization = useRealm()
const { realm } = organization
const people = usePerTest(organization, { acting: 'owner', member: 'member', mod: 'moderator' })
let browser: Browser
let scene: Scene
async function begin(): Promise<void> {
  browser = await loggedIn(people.acting)
  scene = await arrange(people.acting)
  world.clockOffset += FIFTEEN_MINUTES + 1
}

async function loggedIn({ email }: TestUser): Promise<Browser> {
  const browser = new Browser(realm.host)
  await browser.logIn(email, PASSWORD)
  return browser
}

let scenes = 0

async function arrange(owner: TestUser): Promise<Scene> {
  scenes += 1
  const { api } = owner
  const group = async (name: string, settings = {}) =>
    expectSuccess(
      await api.post('/user_groups/create', {
        name: `${name} ${scenes}`,
        description: '',
        members: [realm.owner.id],
        ...settings,
      }),
    ).group_id as number
  const adding = await group('adding')
  const creators = await group('creators', { can_add_members_group: adding })
  const settings = { direct_members: [owner.id], direct_subgroups: [creators] }
  expectSuccess(await api.patch('/realm', { can_create_public_channel_group: { new: settings } }))
  const { id: bot } = await createBot(owner, `Caller ${scenes}`, {
    bot_type: 3,
    payload_url: 'https://hooks.example.com/',
  })
  expectSuccess(await api.delete(`/users/${people.mod.id}`))
  const { id: member, email: memberEmail } = people.member
  return {
    member,
    memberEmail,
    closed: people.mod.id,
    bot,
    group: creators,
    adding,
    other: await group('other'),
  }
}

const named = (acts: readonly Act[]) =>
  acts.map((act): [string, string, Act] => [
    act.operation,
    typeof act.params === 'function' ? '' : JSON.stringify(act.params ?? {}),
    act,
  ])
const make = (act: Act) => browser.json(...requestOf(act, scene))
const newestEntry = async () => expectSuccess(await realm.owner.api.get('/audit_log')).entries[0]

describe('an act that gives keys or rights', () => {
  it.each(named(HARMLESS))('is not one of less: %s %s', async (_operation, _params, act) => {
    await begin()
    expectSuccess(await make(act))
  })

  it('is a change of any permission of the organization', async () => {
    await begin()
    for (const { name } of REALM_GROUP_SETTINGS) {
      expect([name, await browser.json('PATCH', '/realm', { [name]: { new: 3 } })]).toEqual([
        name,
        expect.objectContaining(ASKED),
      ])
    }
  })

  it.each(named(WITH_PASSWORD))(
    'needs the password once, unless there is a second factor: %s %s',
    async (_operation, _params, act) => {
      await begin()
      const [method, path, params] = requestOf(act, scene)
      const wrong = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [name, name.startsWith('new') ? value : 'wrong']),
      )
      expect(await browser.json(method, path, wrong)).toMatchObject({
        status: 400,
        body: { msg: expect.stringMatching(/[Pp]assword/) },
      })
      await withApp(people.acting)
      expect(await make(act)).toMatchObject(ASKED)
      expectSuccess(await people.acting.api.delete('/second_factors/totp'))
      expectSuccess(await make(act))
    },
  )

  it('needs no other proof soon after the log-in, nor with a key', async () => {
    await begin()
    const again = await loggedIn(people.acting)
    world.clockOffset += FIFTEEN_MINUTES - 60
    expectSuccess(await again.json('POST', '/second_factors/totp'))
    world.clockOffset += 120
    expect(await again.json('POST', '/second_factors/totp')).toMatchObject(ASKED)
    expectSuccess(await people.acting.api.post('/second_factors/totp'))
  })

  it('says who may not do it before it asks for a proof', async () => {
    await begin()
    const own = await loggedIn(people.member)
    world.clockOffset += FIFTEEN_MINUTES + 1
    const refusals: readonly [string, string, Record<string, ParameterValue>, string][] = [
      ['POST', '/realm/deactivate', {}, 'Must be an organization owner'],
      ['POST', `/users/${scene.closed}/reactivate`, {}, 'Insufficient permission'],
      ['POST', `/user_groups/${scene.group}/members`, { add: [people.member.id] }, 'Insufficient permission'],
      ['PATCH', `/user_groups/${scene.group}`, { can_join_group: { new: 6 } }, 'Insufficient permission'],
      [
        'POST',
        '/invites',
        { invitee_emails: 'x@example.com', stream_ids: [], group_ids: [scene.group] },
        'Insufficient permission',
      ],
    ]
    for (const [method, path, params, msg] of refusals) {
      expect([path, (await own.json(method, path, params)).body]).toMatchObject([path, { msg }])
    }
  })

  it.each(named(ACTS))(
    'needs a proof of fifteen minutes at most: %s %s',
    async (_operation, _params, act) => {
      await begin()
      const queue = await openQueue(realm.owner)
      const before = await newestEntry()
      expect(await make(act)).toMatchObject(ASKED)
      expect(await queue.events()).toEqual([])
      expect(await newestEntry()).toEqual(before)
      expectSuccess(await browser.json('POST', '/reauthentication', { password: PASSWORD }))
      const made = await make(act)
      if (act.refused === undefined) expectSuccess(made)
      else expect(made.body.msg).toMatch(act.refused)
      expect(made.body.code).not.toBe(ASKED.body.code)
    },
  )
})

import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { withApp } from '../../support/authenticator-app.ts'
import { Browser } from '../../support/browsing.ts'
import { locationsOf, newMark, pass } from '../../support/deleted-marks.ts'
import {
  buildChannel,
  buildUser,
  createBot,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { addLoginProvider, connectTo } from '../../support/login-identities.ts'
import { sendDirect, sendTo, untilProjected } from '../../support/messages.ts'
import { pngOf } from '../../support/pictures.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { dumpFiles } from '../../support/stores.ts'
import { DAY } from '../../support/times.ts'
import { postFiles, readStatus, upload } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { standInForTheWeb } from '../../support/web.ts'
import { world } from '../../support/world.ts'

standInForTheWeb()

const later = (days: number) => Math.floor(Date.now() / 1_000 + world.clockOffset) + days * DAY

interface Lived {
  readonly realm: TestRealm
  readonly owner: TestUser
  readonly ben: TestUser
  readonly zoe: TestUser
  /** In the name, in the address, in what only she reads, and in what she says to others. */
  readonly marks: {
    readonly name: string
    readonly address: string
    readonly own: string
    readonly said: string
  }
  readonly file: string
  readonly messages: readonly number[]
}

/** A person uses everything that keeps something of her. */
async function live(): Promise<Lived> {
  world.settings = { PUSH_BOUNCER_URL: 'https://push.example.com', PUSH_BOUNCER_TOKEN: 'token' }
  const { realm, owner, ben } = await buildRealm({ ben: 'member' })
  const marks = {
    name: newMark('name'),
    address: newMark('mail'),
    own: newMark('own'),
    said: newMark('said'),
  }
  const email = `${marks.address}@example.com`
  const zoe = await buildUser(realm, { name: `Zoe ${marks.name}`, email })
  const post = async (path: string, params: object) => expectSuccess(await zoe.api.post(path, { ...params }))
  const channel = await buildChannel([owner, ben, zoe])
  const field = expectSuccess(
    await owner.api.post('/realm/profile_fields', { name: 'Motto', field_type: 1 }),
  ).id
  expectSuccess(await zoe.api.patch('/users/me/profile_data', { data: [{ id: field, value: marks.own }] }))
  await post('/users/me/status', { status_text: marks.own })
  await post('/users/me/presence', { status: 'active' })
  await post('/users/me/alert_words', { alert_words: [marks.own] })
  await post('/drafts', { drafts: [{ type: 'private', to: [ben.id], topic: '', content: marks.own }] })
  await post('/saved_snippets', { title: marks.own, content: marks.own })
  await post('/navigation_views', {
    fragment: `narrow/search/${marks.own}`,
    is_pinned: true,
    name: marks.own,
  })
  await post(`/users/me/muted_users/${owner.id}`, {})
  await post('/users/me/onboarding_steps', { onboarding_step: 'visibility_policy_banner' })
  await post('/user_topics', { stream_id: channel.id, topic: `${marks.own} topic`, visibility_policy: 3 })
  await post('/invites/multiuse', { welcome_message_custom_text: marks.own }).catch(() => {})
  const file = await upload(zoe, { name: `${marks.said}.txt`, content: `${marks.said} in the file` })
  await upload(zoe, { name: `${marks.own}.txt`, content: `${marks.own} of no message` })
  expectSuccess(await postFiles(zoe, '/users/me/avatar', [pngOf(40, 40, 'zoe.png')]))
  const messages = [
    await sendTo(zoe, channel.id, 'plans', `${marks.said} to the channel [a](${file})`),
    await sendDirect(zoe, [ben], `${marks.said} to Ben`),
  ]
  expectSuccess(
    await zoe.api.patch(`/messages/${messages[0]}`, { content: `${marks.said} again [a](${file})` }),
  )
  await sendDirect(zoe, [zoe], `${marks.own} to herself`)
  const byBen = await sendTo(ben, channel.id, 'plans', 'a word of Ben')
  await post(`/messages/${byBen}/reactions`, { emoji_name: 'tada' })
  await post('/messages/flags', { messages: [byBen], op: 'add', flag: 'starred' })
  const poll = await sendTo(ben, channel.id, 'polls', '/poll lunch?\nsoup')
  const vote = { type: 'new_option', idx: 1, option: marks.said }
  await post('/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) })
  await post('/reminders', { message_id: byBen, scheduled_delivery_timestamp: later(60), note: marks.own })
  const scheduled = { type: 'channel', to: channel.id, topic: 'later', content: `${marks.own} [b](${file})` }
  await post('/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: later(60) })
  await insertDevice(realm, zoe)
  await withApp(zoe)
  await new Browser(realm.host).logIn(email, 'a fine password')
  await connectTo(realm, await addLoginProvider(realm, marks.own), zoe)
  const bot = await createBot(zoe, `Robot ${marks.name}`)
  expectSuccess(await bot.api.request('PUT', '/bot_storage', { storage: { [marks.own]: marks.own } }))
  await runAlarms(realm, 6, 2)
  await untilProjected(realm, messages)
  return { realm, owner, ben, zoe, marks, file, messages }
}

async function erase({ realm, owner, zoe }: Lived, messages: 'keep' | 'remove'): Promise<void> {
  expectSuccess(await owner.api.post(`/users/${zoe.id}/erase`, { messages }))
  await runAlarms(realm, 12, 2)
  const { erasures } = expectSuccess(await owner.api.get('/realm/erasures'))
  expect(erasures[0]).toMatchObject({ user_id: zoe.id, messages, finished_at: expect.any(Number) })
  // The log is kept for clients that were away.
  await pass(realm, 10 * DAY)
}

const isIn = (realm: TestRealm, mark: string) => locationsOf(realm, mark)

describe('an erased person', () => {
  it('is nowhere in any store, but for messages that are kept', async () => {
    const lived = await live()
    const { realm, owner, ben, zoe, marks, file, messages } = lived
    expect(await isIn(realm, marks.name)).toEqual(expect.arrayContaining(['D1 account', 'object user']))
    expect(await isIn(realm, marks.address)).toEqual(expect.arrayContaining(['object user']))
    expect(await isIn(realm, marks.own)).toEqual(
      expect.arrayContaining(['R2 user_uploads', 'object draft', 'object reminder', 'object saved_snippet']),
    )
    const digests = await env.DB.prepare(`SELECT key_digest FROM account WHERE realm_id = ? AND user_id = ?`)
      .bind(realm.id, zoe.id)
      .first<{ key_digest: string }>()
    await erase(lived, 'keep')
    expect(await isIn(realm, marks.name)).toEqual([])
    expect(await isIn(realm, marks.address)).toEqual([])
    // The name of the provider is the organization's.
    expect(await isIn(realm, marks.own)).toEqual(['object login_provider'])
    expect(await isIn(realm, digests!.key_digest)).toEqual([])
    // Ben got mail about the message that he missed, which the tests' server keeps.
    expect(await isIn(realm, marks.said)).toEqual(['D1 message_body', 'object email', 'object submessage'])
    expect(await readStatus(realm, file, ben)).toBe(404)
    expect([...(await dumpFiles(realm)).keys()].filter((key) => key.includes('user_uploads'))).toEqual([])
    for (const id of messages) {
      const { message } = expectSuccess(await ben.api.get(`/messages/${id}`))
      expect(message).toMatchObject({ sender_id: zoe.id, sender_full_name: `Deleted user ${zoe.id}` })
    }
    const { user } = expectSuccess(await owner.api.get(`/users/${zoe.id}`))
    expect(user).toMatchObject({ is_active: false, is_deleted: true, full_name: `Deleted user ${zoe.id}` })
    const { members } = expectSuccess(await owner.api.get('/users'))
    expect(members.filter((one: { bot_owner_id?: number }) => one.bot_owner_id === zoe.id)).toMatchObject([
      { is_active: false, is_deleted: true },
    ])
    await expectRowsToBeSound(realm)
  })

  it('takes messages, reactions and votes along where they are removed', async () => {
    const lived = await live()
    const { realm, ben, zoe, marks, messages } = lived
    await erase(lived, 'remove')
    for (const mark of [marks.name, marks.address, marks.said]) expect(await isIn(realm, mark)).toEqual([])
    for (const id of messages) expect((await ben.api.get(`/messages/${id}`)).status).toBe(400)
    const left = await inRealm(realm, ({ parts: { sql } }) => [
      ...sql.all(`SELECT * FROM message_index WHERE sender_id = ?`, zoe.id),
      ...sql.all(`SELECT * FROM reaction WHERE user_id = ?`, zoe.id),
      ...sql.all(`SELECT * FROM submessage WHERE sender_id = ?`, zoe.id),
    ])
    expect(left).toEqual([])
    await expectRowsToBeSound(realm)
  })
})

/** Expects that the check of the stores finds nothing. */
async function expectRowsToBeSound(realm: TestRealm): Promise<void> {
  for (let after: string | undefined; ; ) {
    const { findings, next } = expectSuccess(await realm.owner.api.post('/realm/verify', { after }))
    expect(findings).toEqual([])
    if (next === null) return
    after = next
  }
}

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { buildBot, changeRealm, inRealm } from '../../support/inside.ts'
import { Mailbox, type PostedMail } from '../../support/mailbox.ts'
import { visit } from '../../support/pages.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

type Fields = Record<string, ParameterValue>

const DAY = 86_400
/** Tuesday as a value of the setting, and as a weekday of a `Date`. */
const TUESDAY = { setting: 1, ofDate: 2 }

// After a failure of D1 the mail would come later than these tests look for it.
useReliableD1()
const mailbox = new Mailbox()
beforeAll(() => {
  mailbox.open()
})
const castle = useRealm(
  { ann: 'member', ben: 'member', cat: 'member' },
  {
    name: 'Castle',
    userDefaults: { realm_name_in_email_notifications_policy: 3, enable_offline_email_notifications: false },
  },
)
const { realm, ann, ben, cat } = castle
beforeAll(async () => {
  mailbox.isFor(realm)
  await setForRealm({ digest_emails_enabled: true, digest_weekday: TUESDAY.setting })
  // From this time on no user counts as new.
  await passUntil(TUESDAY.ofDate)
  await passUntil(TUESDAY.ofDate)
})
beforeEach(() => mailbox.open())
// The next digest lists the channel as new, and the one after that does not.
const { channel } = usePerTest(castle, {}, { channel: ['owner', 'ann', 'ben', 'cat'] })
beforeEach(async () => {
  await passUntil(TUESDAY.ofDate)
  for (const user of [ann, ben, cat, realm.owner]) expectSuccess(await user.api.post('/mark_all_as_read'))
  mailbox.pass(3_600)
  mailbox.forget()
})
afterEach(() => vi.restoreAllMocks())

const send = async (user: TestUser, fields: Fields): Promise<number> =>
  expectSuccess(await user.api.post('/messages', { content: 'Hello', ...fields })).id
const say = (user: TestUser, content: string, topic = 'walls', to = channel.id) =>
  send(user, { type: 'channel', to, topic, content })
const write = (user: TestUser, to: readonly TestUser[], content = 'Hello') =>
  send(user, { type: 'direct', to: to.map(({ id }) => id), content })
const set = async (user: TestUser, settings: Fields) =>
  expectSuccess(await user.api.patch('/settings', settings))
const setForRealm = async (settings: Fields) => expectSuccess(await realm.owner.api.patch('/realm', settings))
const isDigest = ({ subject }: PostedMail) => subject.startsWith('What you missed')

/** Moves the clock to this weekday, an hour after digests are due, and runs the job and the work that it starts. */
async function passUntil(weekday: number): Promise<void> {
  const now = Date.now() / 1_000 + world.clockOffset
  let at = (Math.floor(now / DAY) + 1) * DAY + 19 * 3_600
  while (new Date(at * 1_000).getUTCDay() !== weekday) at += DAY
  await mailbox.deliver(at - now)
  await mailbox.deliver(1)
}

/** Returns the digests that a user gets up to the next Tuesday. */
async function digestsOf(user: TestUser): Promise<PostedMail[]> {
  await passUntil(TUESDAY.ofDate)
  const found = mailbox.to(user).filter(isDigest)
  mailbox.forget()
  return found
}

async function onlyDigestOf(user: TestUser): Promise<PostedMail> {
  const found = await digestsOf(user)
  expect(found).toHaveLength(1)
  return found[0]!
}

describe('a digest', () => {
  it('says what was missed: direct messages and mentions, busy topics, new channels', async () => {
    const fresh = await buildChannel([realm.owner, ann])
    await say(ann, 'Who **mends** it?')
    await say(cat, 'I & you')
    await say(ann, 'Fine')
    await say(cat, '@**Ben** come', 'gate')
    const id = await write(cat, [ben], 'Hello Ben')
    const { subject, text, html, headers, from } = await onlyDigestOf(ben)
    expect(subject).toBe('What you missed in Castle')
    expect(from).toMatch(/^"Castle digest" <noreply@/)
    const origin = `https://${realm.host}`
    expect(text).toContain(
      [
        'Direct messages and mentions\n============================',
        `Direct messages with Cat\n${origin}/#narrow/dm/${ben.id},${cat.id}-dm/near/${id}`,
        '> Hello Ben',
        `#${channel.name} > gate\n`,
      ].join('\n\n'),
    )
    expect(text).toContain('Cat:\n> @Ben come')
    expect(text).toContain(`Busy topics\n===========\n\n#${channel.name} > walls\n${origin}/#narrow/channel/`)
    expect(text).toContain('Ann:\n> Who mends it?\n\nCat:\n> I & you\n\nAnd 1 more message by Ann.')
    expect(text).toContain(
      `New channels\n============\n\n#${fresh.name}\n${origin}/#narrow/channel/${fresh.id}-`,
    )
    expect(html).toContain('Who <strong>mends</strong> it?')
    expect(html).toContain(`>#${fresh.name}</a>`)
    expect(headers['List-Unsubscribe']).toMatch(/^<http.*\/accounts\/unsubscribe\/digest\/\S+>$/)
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    // A week has passed without anything new.
    expect(await digestsOf(ben)).toEqual([])
  })

  it('comes once on the organization’s weekday, and follows a change of it', async () => {
    await write(ann, [ben])
    await passUntil(TUESDAY.ofDate - 1)
    expect(mailbox.to(ben)).toEqual([])
    await passUntil(TUESDAY.ofDate)
    expect(mailbox.to(ben).filter(isDigest)).toHaveLength(1)
    await write(ann, [ben], 'Again')
    // This is the day after: a week has not passed.
    await setForRealm({ digest_weekday: TUESDAY.setting + 1 })
    await passUntil(TUESDAY.ofDate + 1)
    expect(mailbox.to(ben).filter(isDigest)).toHaveLength(1)
    await passUntil(TUESDAY.ofDate + 1)
    expect(mailbox.to(ben).filter(isDigest)).toHaveLength(2)
    await setForRealm({ digest_weekday: TUESDAY.setting })
  })

  it('is in its reader’s language', async () => {
    await set(ben, { default_language: 'de' })
    await write(ann, [ben])
    await passUntil(TUESDAY.ofDate)
    const [{ subject, text, html }] = mailbox.to(ben) as [PostedMail]
    await set(ben, { default_language: 'en' })
    expect(subject).toBe('Was du bei Castle verpasst hast')
    expect(text).toContain('Direktnachrichten und Erwähnungen')
    expect(html).toContain('<html lang="de">')
  })

  it('shows the first of many, and says how many more there are', async () => {
    for (let count = 1; count <= 5; count += 1) await write(ann, [ben], `Number ${count}`)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      for (const user of [ann, cat]) await say(user, `On ${name}`, name)
    }
    const { text } = await onlyDigestOf(ben)
    expect(text).toContain('> Number 1\n\n> Number 2\n\n> Number 3\n\nAnd 2 more messages.')
    expect(text).not.toContain('Number 4')
    expect(text.match(/> On \w/g)).toHaveLength(8)
  })
})

describe('nobody gets a digest', () => {
  it('who was recently active, disabled it, or has nothing to read', async () => {
    await write(ann, [ben, cat])
    await set(cat, { enable_digest_emails: false })
    await passUntil(TUESDAY.ofDate - 1)
    expectSuccess(await ben.api.post('/users/me/presence', { status: 'active' }))
    expect(await digestsOf(ben)).toEqual([])
    expect(mailbox.to(cat)).toEqual([])
    expect(mailbox.to(realm.owner).filter(isDigest)).toEqual([])
    await set(cat, { enable_digest_emails: true })
    // The users were away for another week.
    await write(ann, [ben, cat])
    await passUntil(TUESDAY.ofDate)
    for (const user of [ben, cat]) expect(mailbox.to(user).filter(isDigest)).toHaveLength(1)
  })

  it('in an organization that disables them, from that moment on', async () => {
    await write(ann, [ben])
    await setForRealm({ digest_emails_enabled: false })
    expect(await digestsOf(ben)).toEqual([])
    await setForRealm({ digest_emails_enabled: true })
    await write(ann, [ben])
    expect(await digestsOf(ben)).toHaveLength(1)
  })

  it('who is a bot, is gone, or is new', async () => {
    const bot = await buildBot(realm, realm.owner)
    const gone = await buildUser(realm)
    await write(ann, [bot])
    await write(ann, [gone])
    await passUntil(TUESDAY.ofDate - 1)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    const newMember = await buildUser(realm)
    await write(ann, [newMember])
    mailbox.forget()
    await passUntil(TUESDAY.ofDate)
    expect(mailbox.posted.filter(isDigest)).toEqual([])
  })
})

describe('a digest leaves out', () => {
  it('messages that were read, deleted, moved away, or written by a muted user', async () => {
    const hidden = await buildChannel([realm.owner, ann], { invite_only: true })
    await write(ann, [ben], 'Read')
    await say(ann, '@**Ben** read too')
    expectSuccess(await ben.api.post('/mark_all_as_read'))
    const gone = await write(realm.owner, [ben], 'Deleted')
    expectSuccess(await realm.owner.api.delete(`/messages/${gone}`))
    await write(ann, [ben], '(deleted)')
    const moved = await say(realm.owner, '@**Ben** secret', 'secret')
    expectSuccess(
      await realm.owner.api.patch(`/messages/${moved}`, {
        stream_id: hidden.id,
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: false,
      }),
    )
    expectSuccess(await ben.api.post(`/users/me/muted_users/${cat.id}`))
    await write(cat, [ben], 'Unheard')
    await say(cat, 'Unheard, too', 'noise')
    expect(await digestsOf(ben)).toEqual([])
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${cat.id}`))
  })

  it('messages of muted or left channels and muted topics, and the reader’s own', async () => {
    const left = await buildChannel([realm.owner, ann, ben])
    await say(ann, 'In the channel that was left', 'any', left.id)
    await say(ann, 'In a muted topic', 'muted')
    await say(ben, 'My own', 'mine')
    const topic = { stream_id: channel.id, topic: 'muted', visibility_policy: 1 }
    expectSuccess(await ben.api.post('/user_topics', topic))
    expectSuccess(await ben.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
    const { text } = await onlyDigestOf(ben)
    expect(text).toContain(`#${left.name}`)
    for (const hidden of ['In the channel', 'In a muted', 'My own', 'Busy topics'])
      expect(text).not.toContain(hidden)
    const mute = [{ stream_id: channel.id, property: 'is_muted', value: true }]
    expectSuccess(await ben.api.post('/users/me/subscriptions/properties', { subscription_data: mute }))
    await say(ann, 'In a muted channel')
    expect(await digestsOf(ben)).toEqual([])
  })

  it('wildcard mentions of muted channels, but by its own setting, and of muted topics', async () => {
    const own = (property: string) => ({ stream_id: channel.id, property, value: true })
    const setOwn = async (property: string) =>
      expectSuccess(
        await ben.api.post('/users/me/subscriptions/properties', { subscription_data: [own(property)] }),
      )
    await setOwn('is_muted')
    await say(ann, '@**all** not heard')
    expect(await digestsOf(ben)).toEqual([])
    await setOwn('wildcard_mentions_notify')
    await say(ann, '@**all** heard')
    await say(ann, '@**all** in a muted topic', 'muted')
    await say(ann, 'not mentioned', 'other')
    const topic = { stream_id: channel.id, topic: 'muted', visibility_policy: 1 }
    expectSuccess(await ben.api.post('/user_topics', topic))
    const { text } = await onlyDigestOf(ben)
    expect(text).toContain('@all heard')
    for (const hidden of ['not heard', 'in a muted topic', 'not mentioned'])
      expect(text).not.toContain(hidden)
  })

  it('messages of channels that the reader cannot see', async () => {
    const guest = await buildUser(realm, { role: 600 })
    await passUntil(TUESDAY.ofDate)
    mailbox.forget()
    await buildChannel([realm.owner, ann], { invite_only: true })
    await passUntil(TUESDAY.ofDate)
    for (const user of [guest, ben]) expect(mailbox.to(user)).toEqual([])
    const open = await buildChannel([realm.owner, ann])
    await passUntil(TUESDAY.ofDate)
    expect(mailbox.to(guest)).toEqual([])
    expect(mailbox.to(ben)[0]!.text).toContain(`#${open.name}`)
  })

  it('contents and senders where the recipient or the organization allows neither in mail', async () => {
    const settings: [() => Promise<unknown>, () => Promise<unknown>, RegExp][] = [
      [
        () => set(ben, { message_content_in_email_notifications: false }),
        () => set(ben, { message_content_in_email_notifications: true }),
        /Your settings do not allow/,
      ],
      [
        () => setForRealm({ message_content_allowed_in_email_notifications: false }),
        () => setForRealm({ message_content_allowed_in_email_notifications: true }),
        /The organization does not allow/,
      ],
    ]
    for (const [hide, show, reason] of settings) {
      await write(ann, [ben], 'Secret')
      await say(cat, 'Secret, too')
      await hide()
      const { text, html } = await onlyDigestOf(ben)
      await show()
      expect(text).toContain('- 1 conversation with direct messages or mentions of you\n- 1 busy topic')
      expect(text).toMatch(reason)
      for (const word of ['Secret', 'Ann', 'Cat', channel.name, 'walls']) {
        expect(text).not.toContain(word)
        expect(html).not.toContain(word)
      }
      expectSuccess(await ben.api.post('/mark_all_as_read'))
    }
  })
})

describe('local development', () => {
  it('makes digests on request, for active people too', async () => {
    await write(ann, [ben], 'Have you **seen** it?')
    expectSuccess(await ben.api.post('/users/me/presence', { status: 'active' }))
    expect((await visit(`http://${realm.host}/dev/emails/digests`, { method: 'POST' })).status).toBe(303)
    const list = await visit(`http://${realm.host}/dev/emails`)
    const [newest] = list.text.split('<article>').slice(1)
    expect(newest).toContain('What you missed in Castle')
    expect(newest).toContain(`To ${ben.email}`)
    expect(newest).toContain('Have you seen it?')
  })
})

describe('the unsubscribe link of a digest', () => {
  it('turns off digests, and nothing else, without a login', async () => {
    await write(ann, [ben])
    const { headers } = await onlyDigestOf(ben)
    const link = /<(.*)>/.exec(headers['List-Unsubscribe']!)![1]!.replace('https:', 'http:')
    expect((await visit(link, { method: 'POST' })).status).toBe(200)
    const own = expectSuccess(await ben.api.post('/register', { fetch_event_types: ['user_settings'] }))
    expect(own.user_settings).toMatchObject({ enable_digest_emails: false, enable_login_emails: true })
    await write(ann, [ben])
    expect(await digestsOf(ben)).toEqual([])
    await set(ben, { enable_digest_emails: true })
  })
})

describe('whatever happens in between', () => {
  it('the digest is sent: after an outage of the service and an eviction', async () => {
    await write(ann, [ben])
    mailbox.answer = () => new Response('', { status: 503 })
    await passUntil(TUESDAY.ofDate)
    expect(mailbox.to(ben)).toEqual([])
    await write(ann, [ben], 'Meanwhile')
    await evictRealm(realm.id)
    mailbox.answer = () => new Response('{}')
    await mailbox.deliver(60)
    const [digest, ...others] = mailbox.to(ben).filter(isDigest) as [PostedMail, ...PostedMail[]]
    expect(others).toEqual([])
    expect(digest.text).toContain('> Meanwhile')
    expect(digest.headers['Message-ID']).toMatch(/^<digest-/)
  })

  it('a crash before it is recorded sends the same mail once more, and no other', async () => {
    await write(ann, [ben])
    let stopped = false
    mailbox.answer = async () => {
      if (!stopped) {
        stopped = true
        await inRealm(realm, (object) => object.parts.leave())
      }
      return new Response('{}')
    }
    await passUntil(TUESDAY.ofDate)
    await evictRealm(realm.id)
    await mailbox.deliver(70)
    await mailbox.deliver(70)
    const sent = mailbox.to(ben).filter(isDigest)
    expect(stopped).toBe(true)
    expect(new Set(sent.map(({ headers }) => headers['Message-ID'])).size).toBe(1)
    expect(sent.length).toBeLessThanOrEqual(2)
    mailbox.forget()
    expect(await digestsOf(ben)).toEqual([])
  })

  it('a refused digest becomes a dead letter without content, which can be retried', async () => {
    await write(ann, [ben], 'Quite secret')
    mailbox.answer = () => new Response('', { status: 400 })
    await passUntil(TUESDAY.ofDate)
    mailbox.answer = () => new Response('{}')
    const { dead_letters } = expectSuccess(await realm.owner.api.get('/dead_letters'))
    const letter = dead_letters.find(({ description }: { description: string }) =>
      description.startsWith(`Digest to ${ben.email}`),
    )
    expect(letter).toMatchObject({ kind: 'mail' })
    const kept = await changeRealm(realm, ({ sql }) => JSON.stringify(sql.all('SELECT * FROM dead_letter')))
    expect(kept).not.toContain('Quite secret')
    expectSuccess(await realm.owner.api.post('/dead_letters/retry', { ids: [letter.id] }))
    await mailbox.deliver(1)
    expect(mailbox.to(ben).filter(isDigest)).toHaveLength(1)
  })
})

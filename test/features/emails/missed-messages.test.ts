import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { evictRealm, type ParameterValue } from '../../support/api.ts'
import { buildChannel, buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { buildBot, inRealm, insertUsers } from '../../support/inside.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { visit } from '../../support/pages.ts'
import { buildRealm, usePerTest, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

type Fields = Record<string, ParameterValue>

const mailbox = new Mailbox()
beforeAll(() => {
  mailbox.open()
})
const castle = useRealm(
  { ann: 'member', ben: 'member', cat: 'member' },
  // Subjects do not have the organization's name, since it depends on how many organizations the other test files have
  // made.
  { name: 'Castle', userDefaults: { realm_name_in_email_notifications_policy: 3 } },
)
const { realm, ann, ben, cat } = castle
beforeAll(() => mailbox.isFor(realm))
beforeEach(() => mailbox.open())
const { channel } = usePerTest(castle, {}, { channel: ['owner', 'ann', 'ben', 'cat'] })
beforeEach(async () => {
  await mailbox.deliver()
  mailbox.forget()
})
afterEach(async () => {
  for (const user of [ann, ben, cat, realm.owner]) expectSuccess(await user.api.post('/mark_all_as_read'))
  vi.restoreAllMocks()
})

const send = async (user: TestUser, fields: Fields): Promise<number> =>
  expectSuccess(await user.api.post('/messages', { content: 'Hello', ...fields })).id
const say = (user: TestUser, content: string, topic = 'walls') =>
  send(user, { type: 'channel', to: channel.id, topic, content })
const write = (user: TestUser, to: readonly TestUser[], content = 'Hello') =>
  send(user, { type: 'direct', to: to.map(({ id }) => id), content })
const set = async (user: TestUser, settings: Fields) =>
  expectSuccess(await user.api.patch('/settings', settings))
const setForChannel = async (user: TestUser, property: string, value: boolean) =>
  expectSuccess(
    await user.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel.id, property, value }],
    }),
  )
const setForTopic = async (user: TestUser, topic: string, visibility_policy: number) =>
  expectSuccess(await user.api.post('/user_topics', { stream_id: channel.id, topic, visibility_policy }))
const setForRealm = async (settings: Fields) => expectSuccess(await realm.owner.api.patch('/realm', settings))

describe('a user who is away gets', () => {
  it('one mail a conversation, in the order in which the conversations ended', async () => {
    await write(ann, [ben], 'First\n\n**bold** & more')
    await say(cat, '@**Ben** look')
    await write(ann, [ben, cat], 'To both')
    await write(ann, [ben], 'Second')
    await mailbox.deliver()
    expect(mailbox.to(ben).map(({ subject }) => subject)).toEqual([
      `#${channel.name} > walls`,
      'Group conversation with Ann and Cat',
      'Direct messages with Ann',
    ])
    const direct = mailbox.to(ben)[2]!
    expect(direct.text).toContain('> First\n> bold & more\n\n> Second\n')
    expect(direct.html).toContain('<strong>bold</strong> &amp; more')
    expect(direct.from).toMatch(/^"Castle notifications" <noreply@/)
    expect(mailbox.to(cat).map(({ subject }) => subject)).toEqual(['Group conversation with Ann and Ben'])
    expect(mailbox.to(ann)).toEqual([])
    mailbox.forget()
    await mailbox.deliver()
    expect(mailbox.posted).toEqual([])
  })

  it('moments in their own zone, language and clock, in text and HTML', async () => {
    const own = { timezone: 'Europe/Berlin', default_language: 'de', twenty_four_hour_time: true }
    await set(ben, own)
    await write(ann, [ben, cat], 'at <time:2026-05-18T14:00:00Z>.')
    await mailbox.deliver()
    const shown = 'at Montag, 18. Mai 2026 um 16:00 MESZ.'
    const [mail] = mailbox.to(ben)
    expect([mail!.text.includes(shown), mail!.html!.includes(shown)]).toEqual([true, true])
    expect(mailbox.to(cat)[0]!.text).toContain('at Monday, 18 May 2026 at 2:00 pm UTC.')
    mailbox.forget()
    await set(ben, { timezone: '', default_language: 'en', twenty_four_hour_time: false })
  })

  it('the mail after the delay they chose, counted from the first message', async () => {
    await set(ben, { email_notifications_batching_period_seconds: 3_600 })
    await write(ann, [ben], 'First')
    await mailbox.deliver(3_000)
    await write(ann, [ben], 'Second')
    expect(mailbox.to(ben)).toEqual([])
    await mailbox.deliver(602)
    expect(mailbox.to(ben)[0]!.text).toContain('> First\n\n> Second')
    mailbox.forget()
    await write(ann, [ben])
    await set(ben, { email_notifications_batching_period_seconds: 60 })
    await mailbox.deliver(62)
    expect(mailbox.to(ben)).toHaveLength(1)
    mailbox.forget()
    await set(ben, { email_notifications_batching_period_seconds: 120 })
  })

  it('the messages before a mention, up to the limit', async () => {
    const old = await say(cat, 'Long ago')
    mailbox.pass(1_000)
    await say(cat, 'Who has the key?')
    await say(ann, 'Elsewhere', 'other')
    await say(ann, 'Not me')
    await say(ann, 'But @**Ben** might')
    await say(cat, '@**Ben** ?')
    const { text, html } = await mailbox.only(ben)
    expect(old).toBeGreaterThan(0)
    expect(text).toContain(
      'Before that:\n\nCat:\n> Who has the key?\n\nAnn:\n> Not me\n\n\nNew:\n\nAnn:\n> But @Ben might\n\nCat:\n> @Ben ?\n',
    )
    expect(text).not.toContain('Long ago')
    expect(text).not.toContain('Elsewhere')
    expect(text).toContain('You are receiving this because you were mentioned.')
    expect(html).toContain('<strong>Cat</strong>')
  })

  it('the first of very many messages, and how many more there are', async () => {
    // Together these are longer than what is read at once.
    for (let count = 0; count < 30; count += 1) await write(ann, [ben], ':+1: '.repeat(1_900))
    const { text } = await mailbox.only(ben)
    expect(text.match(/> \(This message is too long for an email\.\)/g)).toHaveLength(20)
    expect(text).toContain('There are 10 more messages.')
  })

  it('mail in their language, with a link to the conversation and one to unsubscribe', async () => {
    await set(ben, { default_language: 'de' })
    const id = await write(ann, [ben])
    const { subject, text, html, headers } = await mailbox.only(ben)
    await set(ben, { default_language: 'en' })
    expect(subject).toBe('Direktnachrichten mit Ann')
    expect(html).toContain('<html lang="de">')
    expect(text).toContain(
      `Unterhaltung öffnen: http://${realm.host}/#narrow/dm/${ann.id},${ben.id}-dm/near/${id}`,
    )
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    expect(headers['List-Unsubscribe']).toMatch(/^<http:.*\/accounts\/unsubscribe\/missed_messages\/\S+>$/)
  })

  it('mails that mail programs group by conversation', async () => {
    const mailOf = async (message: Promise<number>) => {
      await message
      return (await mailbox.only(ben)).headers
    }
    const first = await mailOf(say(ann, '@**Ben** one'))
    const second = await mailOf(say(ann, '@**Ben** two'))
    const other = await mailOf(say(ann, '@**Ben** three', 'other'))
    expect(second.References).toBe(first.References)
    expect(second['In-Reply-To']).toBe(first.References)
    expect(other.References).not.toBe(first.References)
    expect(new Set([first, second, other].map((headers) => headers['Message-ID'])).size).toBe(3)
  })
})

describe('a channel message is mailed to', () => {
  it('users who want that for the channel, in general, or for the topic', async () => {
    const isMailed = async (content = 'Hello') => {
      await say(ann, content)
      return (await mailbox.count(ben)) > 0
    }
    expect(await isMailed()).toBe(false)
    await setForChannel(ben, 'email_notifications', true)
    expect(await isMailed()).toBe(true)
    await setForTopic(ben, 'walls', 1)
    expect(await isMailed()).toBe(false)
    await setForTopic(ben, 'walls', 0)
    await setForChannel(ben, 'is_muted', true)
    expect(await isMailed()).toBe(false)
    await setForChannel(ben, 'is_muted', false)
    await setForChannel(ben, 'email_notifications', false)
    await set(ben, { enable_stream_email_notifications: true })
    expect(await isMailed()).toBe(false)
    await set(ben, { enable_stream_email_notifications: false })
    await setForTopic(ben, 'walls', 3)
    expect(await isMailed()).toBe(true)
    await set(ben, { enable_followed_topic_email_notifications: false })
    expect(await isMailed()).toBe(false)
    await set(ben, { enable_followed_topic_email_notifications: true })
  })

  it('users without a channel setting by the general one, from its change on', async () => {
    await say(ann, 'Hello')
    expect(await mailbox.count(ben)).toBe(0)
    await set(ben, { enable_stream_email_notifications: true })
    await say(ann, 'Hello')
    expect((await mailbox.only(ben)).text).toContain(`you get emails about messages in #${channel.name}.`)
    await set(ben, { enable_stream_email_notifications: false })
    await say(ann, 'Hello')
    expect(await mailbox.count(ben)).toBe(0)
  })

  it('users mentioned by a wildcard, unless they disabled that', async () => {
    await say(ann, '@**all**')
    expect((await mailbox.only(ben)).text).toContain(`everyone in #${channel.name} was mentioned`)
    await set(ben, { wildcard_mentions_notify: false })
    await say(ann, '@**all**')
    expect(await mailbox.count(ben)).toBe(0)
    await setForChannel(ben, 'wildcard_mentions_notify', true)
    await say(ann, '@**all**')
    expect(await mailbox.count(ben)).toBe(1)
    await set(ben, { wildcard_mentions_notify: true })
  })

  it('users mentioned by a wildcard in a muted channel by its own setting', async () => {
    await setForChannel(ben, 'is_muted', true)
    await say(ann, '@**all**')
    expect(await mailbox.count(ben)).toBe(0)
    await setForChannel(ben, 'wildcard_mentions_notify', true)
    await say(ann, '@**all**')
    expect((await mailbox.only(ben)).text).toContain(`everyone in #${channel.name} was mentioned`)
    await setForTopic(ben, 'walls', 1)
    await say(ann, '@**all**')
    expect(await mailbox.count(ben)).toBe(0)
  })

  it('members of a mentioned group, with its name', async () => {
    const group = { name: `guards ${channel.id}`, description: '', members: [ben.id] }
    expectSuccess(await realm.owner.api.post('/user_groups/create', group))
    await say(ann, `@*${group.name}*`)
    expect((await mailbox.only(ben)).text).toContain(`because @${group.name} was mentioned`)
  })

  it('members of several mentioned groups, with the smallest that contains them', async () => {
    const make = async (name: string, members: readonly TestUser[], subgroups: readonly number[] = []) => {
      const group = { name: `${name} ${channel.id}`, description: '', members: members.map(({ id }) => id) }
      const made = await realm.owner.api.post('/user_groups/create', { ...group, subgroups: [...subgroups] })
      return expectSuccess(made).group_id as number
    }
    const large = await make('large', [ann, ben, cat])
    await make('flat', [ben, ann])
    const inner = await make('inner', [cat])
    await make('nested', [realm.owner], [inner])
    await make('larger', [realm.owner], [large])
    const mention = (...names: string[]) =>
      say(ann, names.map((name) => `@*${name} ${channel.id}*`).join(' and '))
    const reasons = async () => {
      await mailbox.deliver()
      const found = [ben, cat].map(
        (user) => / because @(\w+) \d+ was mentioned/.exec(mailbox.to(user)[0]?.text ?? '')?.[1],
      )
      mailbox.forget()
      return found
    }
    await mention('large', 'flat')
    expect(await reasons()).toEqual(['flat', 'large'])
    await mention('larger', 'nested')
    expect(await reasons()).toEqual(['larger', 'nested'])
    await mention('larger', 'large')
    expect(await reasons()).toEqual(['large', 'large'])
  })

  it('users whom an edit mentions, and not again to others', async () => {
    const id = await say(ann, 'Who?')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'You, @**Ben**' }))
    expect((await mailbox.only(ben)).text).toContain('> You, @Ben')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'You, @**Ben**!' }))
    expect(await mailbox.count(ben)).toBe(0)
  })
})

describe('nobody is mailed', () => {
  const mailedAfter = async (what: () => Promise<unknown>, content = '@**Ben** secret') => {
    await say(ann, content)
    await what()
    return mailbox.count(ben)
  }

  it('who wants no mail, has muted the sender, or is mentioned silently', async () => {
    await set(ben, { enable_offline_email_notifications: false })
    expect(await mailedAfter(async () => {})).toBe(0)
    await write(ann, [ben])
    expect(await mailbox.count(ben)).toBe(0)
    await set(ben, { enable_offline_email_notifications: true })
    expectSuccess(await ben.api.post(`/users/me/muted_users/${ann.id}`))
    expect(await mailedAfter(async () => {})).toBe(0)
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    // A mentioned user follows the topic.
    await say(ann, '@_**Ben**', 'elsewhere')
    expect(await mailbox.count(ben)).toBe(0)
    expect(await mailedAfter(async () => {})).toBe(1)
  })

  it('about their own messages, and bots are never mailed', async () => {
    const bot = await buildBot(realm, ben)
    await write(ben, [ben])
    await write(ann, [bot])
    await mailbox.deliver()
    expect(mailbox.posted).toEqual([])
  })

  it('who has read it, muted the sender, disabled mail, left, or been deactivated', async () => {
    expect(await mailedAfter(() => ben.api.post('/mark_all_as_read'))).toBe(0)
    expect(await mailedAfter(() => ben.api.post(`/users/me/muted_users/${ann.id}`))).toBe(0)
    expectSuccess(await ben.api.delete(`/users/me/muted_users/${ann.id}`))
    expect(await mailedAfter(() => set(ben, { enable_offline_email_notifications: false }))).toBe(0)
    await set(ben, { enable_offline_email_notifications: true })
    const leave = () => ben.api.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    expect(await mailedAfter(leave)).toBe(0)
    expectSuccess(await ben.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] }))
    expect(await mailedAfter(() => realm.owner.api.delete(`/users/${ben.id}`))).toBe(0)
    expectSuccess(await (await reopen(realm, ben)).api.get('/users/me'))
  })

  it('about a message deleted, moved away, or no longer mentioning them', async () => {
    const elsewhere = await buildChannel([realm.owner, ann])
    let id = 0
    const countAfter = async (what: () => Promise<unknown>) => {
      id = await say(ann, '@**Ben** secret')
      await what()
      return mailbox.count(ben)
    }
    expect(await countAfter(() => realm.owner.api.delete(`/messages/${id}`))).toBe(0)
    expect(await countAfter(() => ann.api.patch(`/messages/${id}`, { content: 'nobody' }))).toBe(0)
    const move = { stream_id: elsewhere.id, topic: 'x', send_notification_to_old_thread: false }
    expect(await countAfter(() => realm.owner.api.patch(`/messages/${id}`, move))).toBe(0)
    expect(await countAfter(async () => {})).toBe(1)
  })

  it('whose client is in use and gets messages', async () => {
    const dan = await buildUser(realm, { name: 'Dan' })
    expectSuccess(await dan.api.post('/register', { event_types: ['message'] }))
    expectSuccess(await dan.api.post('/users/me/presence', { status: 'active' }))
    await write(ann, [dan])
    expect(await mailbox.count(dan)).toBe(0)
    mailbox.pass(300)
    await write(ann, [dan])
    expect(await mailbox.count(dan)).toBe(1)
  })
})

describe('a user whose client disappears gets mail', () => {
  it('about unread messages that came since, once the queue has ended', async () => {
    const eve = await buildUser(realm, { name: 'Eve' })
    expectSuccess(await eve.api.post('/register', { event_types: ['message'], queue_lifespan_secs: 600 }))
    expectSuccess(await eve.api.post('/users/me/presence', { status: 'active' }))
    await write(ann, [eve], 'Are you there?')
    await write(ann, [eve], 'Read')
    const { messages } = expectSuccess(
      await eve.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }),
    )
    await eve.api.post('/messages/flags', { messages: [messages.at(-1).id], op: 'add', flag: 'read' })
    await mailbox.deliver()
    expect(mailbox.to(eve)).toEqual([])
    // Her queue expires, housekeeping deletes it, and then the mail waits for further messages.
    for (const seconds of [2_000, 400, 400]) await mailbox.deliver(seconds)
    expect(mailbox.to(eve).map(({ subject }) => subject)).toEqual(['Direct messages with Ann'])
    const { text } = mailbox.to(eve)[0]!
    expect(text).toContain('> Are you there?')
    expect(text).not.toContain('> Read')
  })
})

describe('a mail contains only what its reader may see when it is sent', () => {
  it('the message’s text and topic at that moment', async () => {
    const id = await say(ann, '@**Ben** teh end')
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: '@**Ben** the end', topic: 'towers' }))
    const { subject, text } = await mailbox.only(ben)
    expect(subject).toBe(`#${channel.name} > towers`)
    expect(text).toContain('the end')
    expect(text).not.toContain('teh')
  })

  it('neither contents nor senders where the recipient or the organization disallows them', async () => {
    const expectHidden = async (who: string) => {
      await say(cat, 'Context')
      await say(ann, '@**Ben** secret')
      const mail = await mailbox.only(ben)
      expect(mail.subject).toBe('New messages')
      expect(mail.text).toContain(who)
      for (const part of [mail.subject, mail.text, mail.html!]) {
        const said = part.replaceAll(/http\S+/g, '')
        for (const word of ['secret', 'Context', 'Ann', 'Cat', channel.name, 'walls']) {
          expect(said).not.toContain(word)
        }
      }
    }
    await set(ben, { message_content_in_email_notifications: false })
    await expectHidden('Your settings do not allow messages to be shown')
    await setForRealm({ message_content_allowed_in_email_notifications: false })
    await expectHidden('The organization does not allow messages to be shown')
    await set(ben, { message_content_in_email_notifications: true })
    await expectHidden('The organization does not allow messages to be shown')
    await setForRealm({ message_content_allowed_in_email_notifications: true })
  })

  it('the organization’s name as the reader’s setting says', async () => {
    const subject = async (policy: number) => {
      await set(ben, { realm_name_in_email_notifications_policy: policy })
      await write(ann, [ben])
      return (await mailbox.only(ben)).subject
    }
    expect(await subject(3)).toBe('Direct messages with Ann')
    expect(await subject(2)).toBe('Direct messages with Ann [Castle]')
    await buildRealm({}, { name: 'Another of the same deployment' })
    expect(await subject(1)).toBe('Direct messages with Ann [Castle]')
    await set(ben, { realm_name_in_email_notifications_policy: 3 })
  })

  it('no names of people whom the guest cannot see', async () => {
    const dan = await buildUser(realm, { name: 'Dan' })
    const gil = await buildUser(realm, { name: 'Gil', role: 600 })
    await setForRealm({ can_access_all_users_group: { new: 6 } })
    const shared = await buildChannel([ann, dan, gil])
    expectSuccess(
      await dan.api.post('/messages', { type: 'channel', to: shared.id, topic: 'x', content: 'I go' }),
    )
    const { subscriptions } = expectSuccess(await dan.api.get('/users/me/subscriptions'))
    const names = subscriptions.map(({ name }: { name: string }) => name)
    expectSuccess(await dan.api.delete('/users/me/subscriptions', { subscriptions: names }))
    expectSuccess(
      await ann.api.post('/messages', {
        type: 'channel',
        to: shared.id,
        topic: 'x',
        content: '@**Gil** see',
      }),
    )
    const { text } = await mailbox.only(gil)
    expect(text).toContain('Unknown user:\n> I go')
    expect(text).not.toContain('Dan')
    await setForRealm({ can_access_all_users_group: { new: 7 } })
  })
})

describe('local development', () => {
  it('shows mails in a frame that runs no script and loads nothing', async () => {
    await write(ann, [ben], '**Look**')
    await mailbox.only(ben)
    const list = await visit(`http://${realm.host}/dev/emails`)
    const [, path] = /<iframe sandbox="allow-popups" src="(\/dev\/emails\/\d+)"/.exec(list.text)!
    const mail = await visit(`http://${realm.host}${path}`)
    expect(mail.text).toContain('<strong>Look</strong>')
    expect(mail.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none';.* sandbox allow-popups;/,
    )
    expect((await visit(`http://${realm.host}/dev/emails/0`)).status).toBe(404)
  })
})

describe('the unsubscribe link of a mail', () => {
  async function linkOut(): Promise<string> {
    await write(ann, [ben])
    return /<(.*)>/.exec((await mailbox.only(ben)).headers['List-Unsubscribe']!)![1]!
  }
  const wants = async () =>
    expectSuccess(await ben.api.post('/register', { fetch_event_types: ['user_settings'] })).user_settings
      .enable_offline_email_notifications

  it('needs no login, asks first, and unsubscribes by one button or one POST', async () => {
    const link = await linkOut()
    const asked = await visit(link)
    expect(asked.text).toContain('stop emails about missed messages from Castle?')
    expect(asked.text).toContain('>Stop emails about missed messages</button>')
    expect(await wants()).toBe(true)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const done = await visit(link, { method: 'POST', body })
    expect([done.status, await wants()]).toEqual([200, false])
    expect((await visit(link, { method: 'POST' })).status).toBe(200)
    await write(ann, [ben])
    expect(await mailbox.count(ben)).toBe(0)
    await set(ben, { enable_offline_email_notifications: true })
  })

  it('works for its reader and its kind of mail alone', async () => {
    const link = await linkOut()
    const forged = link.replace(`/${ben.id}-`, `/${cat.id}-`)
    const otherKind = link.replace('missed_messages', 'digest')
    for (const wrong of [forged, otherKind, `${link}0`, link.replace('missed_messages', 'toString')]) {
      const { status, text } = await visit(wrong, { method: 'POST' })
      expect([status, text.includes('This link is invalid or incomplete')]).toEqual([400, true])
    }
    expect(await wants()).toBe(true)
  })
})

describe('whatever happens in between', () => {
  /** Returns a function that stops the object when it is first called; the call that was on its way is lost. */
  const endOnce = () => {
    let isOver = false
    return async () => {
      if (isOver) return
      isOver = true
      await inRealm(realm, (object) => object.stop()).catch(() => {})
    }
  }
  const ends: readonly { where: string; of: string; times: number; prepare: () => void }[] = [
    {
      where: 'when the message has been stored',
      of: 'committed',
      times: 1,
      prepare: () => {
        world.crashAt = 'committed'
      },
    },
    {
      where: 'while the texts are looked up',
      of: 'Ann',
      times: 1,
      prepare: () => {
        const end = endOnce()
        world.d1 = async (call, kind) => {
          const answer = await call()
          if (kind === 'read') await end()
          return answer
        }
      },
    },
    ...['Ann', 'Cat'].flatMap((of) => [
      {
        where: 'before the service has the mail',
        of,
        times: 1,
        prepare: () => {
          const end = endOnce()
          mailbox.answer = async ({ subject }) => {
            if (subject.endsWith(of)) await end()
            return new Response('{}')
          }
        },
      },
      {
        where: 'before it is written down that the service has the mail',
        of,
        times: 2,
        prepare: () => {
          const end = endOnce()
          mailbox.answer = async (mail) => {
            if (!mail.subject.endsWith(of)) return new Response('{}')
            // The mail has arrived, but its answer is lost with the object.
            mailbox.posted.push(mail)
            mailbox.answer = () => new Response('{}')
            await end()
            return new Response('', { status: 503 })
          }
        },
      },
    ]),
  ]
  it.each(ends)('each mail is sent exactly once when the object dies $where ($of)', async (end) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await write(ann, [ben], 'One')
    if (end.of === 'committed') end.prepare()
    // A client whose answer was lost sends the request again.
    const params = { type: 'direct', to: [ben.id], content: 'Two' }
    const init = { headers: { 'Idempotency-Key': `two ${Math.random()}` } }
    const again = () => cat.api.request('POST', '/messages', params, init)
    let answer = await again()
    for (let tries = 0; answer.status >= 500 && tries < 5; tries += 1) answer = await again()
    expect(answer.status).toBe(200)
    if (end.of !== 'committed') end.prepare()
    try {
      await mailbox.deliver().catch(() => {})
    } finally {
      world.crashAt = undefined
      world.d1 = (call) => call()
    }
    for (let round = 0; round < 3; round += 1) {
      await mailbox.deliver(100).catch(() => {})
    }
    const of = (name: string) => mailbox.to(ben).filter(({ subject }) => subject.endsWith(name))
    for (const name of ['Ann', 'Cat']) {
      expect(new Set(of(name).map(({ headers }) => headers['Message-ID'])).size).toBe(1)
      expect([name, of(name).length]).toEqual([name, name === end.of ? end.times : 1])
    }
    mailbox.forget()
    expect(await mailbox.count(ben)).toBe(0)
  })

  it('the mail is sent once though the object is evicted', async () => {
    await write(ann, [ben])
    await evictRealm(realm.id)
    expect(await mailbox.count(ben)).toBe(1)
    await evictRealm(realm.id)
    expect(await mailbox.count(ben)).toBe(0)
  })

  it('it is retried while the service is away, with the text of that moment', async () => {
    const id = await write(ann, [ben], 'Hullo')
    mailbox.answer = () => new Response('', { status: 500 })
    await mailbox.deliver()
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'Hello there' }))
    mailbox.answer = () => new Response('{}')
    const { text } = await mailbox.only(ben)
    expect(text).toContain('Hello there')
  })

  it('a refused mail delays no other, and its dead letter says nothing of the message', async () => {
    await write(ann, [ben], 'secret words')
    await write(cat, [ben], 'other words')
    mailbox.answer = ({ subject }) => new Response('', { status: subject.includes('Ann') ? 422 : 200 })
    await mailbox.deliver()
    expect(mailbox.to(ben).map(({ subject }) => subject)).toEqual(['Direct messages with Cat'])
    mailbox.forget()
    const [letter] = expectSuccess(await realm.owner.api.get('/dead_letters')).dead_letters
    expect(letter).toMatchObject({ kind: 'mail', description: `Mail of missed messages to ${ben.email}` })
    expect(
      await inRealm(realm, ({ parts }) => JSON.stringify(parts.sql.all('SELECT * FROM dead_letter'))),
    ).not.toContain('secret')
    expectSuccess(await realm.owner.api.post('/dead_letters/retry'))
    expect(await mailbox.count(ben)).toBe(1)
  })

  it('mails beyond thirty an hour wait, and include what comes meanwhile', async () => {
    const dan = (await insertUsers(realm, 1))[0]!
    const writers = await insertUsers(realm, 31)
    for (const writer of writers) await write(writer, [dan])
    expect(await mailbox.count(dan)).toBe(30)
    await write(writers[30]!, [dan], 'Once more')
    expect(await mailbox.count(dan)).toBe(0)
    await mailbox.deliver(3_600)
    expect(mailbox.to(dan).map(({ text }) => text.match(/^> .*/gm))).toEqual([['> Hello', '> Once more']])
  })

  it('mails beyond the limit of an organization wait for the next period', async () => {
    const [dan, eve, fay] = await insertUsers(realm, 3)
    const all = [dan!, eve!, fay!]
    const sent = () => all.map((user) => mailbox.to(user).length)
    // Periods begin at full hours of the clock; here one has just begun.
    const now = Date.now() / 1_000 + world.clockOffset
    mailbox.pass(3_600 - (now % 3_600))
    world.settings = {
      ...world.settings,
      RATE_LIMIT_MISSED_MAIL: '2/3600',
      RATE_LIMIT_MISSED_MAIL_BY_USER: '1/60',
    }
    for (const user of all) await write(ann, [user])
    await mailbox.deliver()
    expect(sent().sort()).toEqual([0, 1, 1])
    await evictRealm(realm.id)
    await mailbox.deliver(600)
    expect(sent().sort()).toEqual([0, 1, 1])
    await mailbox.deliver(3_600 - 721)
    expect(sent()).toEqual([1, 1, 1])
  })

  it('mails beyond a limit are put off each in a turn of its own', async () => {
    const COUNT = 20
    const many = await insertUsers(realm, COUNT)
    world.settings = { ...world.settings, RATE_LIMIT_MISSED_MAIL: '1/36000' }
    for (const user of many) await write(ann, [user])
    const wait = vi.spyOn(scheduler, 'wait')
    await mailbox.deliver()
    expect(mailbox.posted).toHaveLength(1)
    expect(wait.mock.calls.filter(([ms]) => ms === 0).length).toBeGreaterThanOrEqual(COUNT - 1)
    wait.mockRestore()
  })

  it('pending mail holds no text: nothing of a deleted message is kept', async () => {
    await write(ann, [ben], 'secret words')
    const rows = await inRealm(realm, ({ parts }) =>
      JSON.stringify(parts.sql.all('SELECT * FROM missed_mail')),
    )
    expect(rows).not.toContain('secret')
    expect(await mailbox.count(ben)).toBe(1)
  })
})

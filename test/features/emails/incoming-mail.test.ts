import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ParameterValue } from '../../support/api.ts'
import { deliveryReport } from '../../support/delivery-report.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { deliverMail, MAIL_DOMAIN, writeMail } from '../../support/incoming-mail.ts'
import { changeRealm } from '../../support/inside.ts'
import { bounceLocalPart } from '../../support/inside-rows.ts'
import { refuseNextSlice } from '../../support/inside-work.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

type Fields = Record<string, ParameterValue>

const NOBODY = 'Nobody takes mail at this address, or no longer.'

const mailbox = new Mailbox()
beforeAll(() => {
  open()
})
const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' }, { name: 'Castle' })
beforeAll(() => {
  mailbox.isFor(realm)
})
beforeEach(async () => {
  open()
  await mailbox.deliver()
  mailbox.forget()
})
afterEach(async () => {
  for (const user of [ann, ben]) await user.api.post('/mark_all_as_read')
  vi.restoreAllMocks()
})

function open(): void {
  mailbox.open()
  world.settings = { ...world.settings, EMAIL_DOMAIN: MAIL_DOMAIN }
}

const send = async (user: TestUser, fields: Fields): Promise<number> =>
  expectSuccess(await user.api.post('/messages', { content: 'Hello', ...fields })).id

async function newest(user: TestUser, count = 1): Promise<Fields[]> {
  const { messages } = expectSuccess(
    await user.api.get('/messages', {
      anchor: 'newest',
      num_before: count,
      num_after: 0,
      apply_markdown: false,
    }),
  )
  return messages
}

/** Returns the address to which Ann's reply to Ben's message goes. */
async function replyAddress(fields: Fields): Promise<string> {
  await send(ben, fields)
  return (await mailbox.only(ann)).headers['Reply-To']!
}
const toAnn = () => ({ type: 'direct', to: [ann.id], content: 'Shall we?' })
const mentionIn = (channelId: number, topic = 'walls') => ({
  type: 'channel',
  to: channelId,
  topic,
  content: `@**Ann|${ann.id}** shall we?`,
})

const address = async (user: TestUser, channelId: number, sender_id?: number): Promise<string> =>
  expectSuccess(await user.api.get(`/streams/${channelId}/email_address`, { sender_id })).email

describe('a reply to a mail about missed messages', () => {
  it('is sent to the message’s sender, in the replier’s name and without quotation', async () => {
    const to = await replyAddress(toAnn())
    expect(to.length).toBeLessThanOrEqual(64 + 1 + MAIL_DOMAIN.length)
    const mail = await writeMail({
      to,
      subject: 'Re: Direct messages with Ben',
      text: 'Yes, *now*.\n\nOn Sat, Nov 21, 2026 at 11:02 AM Castle <noreply@chat.example.com> wrote:\n\n> Shall we?\n> -- \n> Answer',
    })
    expect(await deliverMail(realm.host, to.toUpperCase(), mail)).toBeNull()
    const [message] = await newest(ben)
    expect(message).toMatchObject({
      sender_id: ann.id,
      type: 'private',
      content: 'Yes, *now*.',
      client: 'Email',
    })
    const people = (message!.display_recipient as { id: number }[]).map(({ id }) => id)
    expect(new Set(people)).toEqual(new Set([ann.id, ben.id]))
  })

  it('goes to the topic that has the message by then', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const messageId = await send(ben, mentionIn(id))
    const to = (await mailbox.only(ann)).headers['Reply-To']!
    expectSuccess(
      await realm.owner.api.patch(`/messages/${messageId}`, { topic: 'gates', propagate_mode: 'change_all' }),
    )
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'Yes' }))).toBeNull()
    expect(await newest(ben)).toMatchObject([
      { sender_id: ann.id, subject: 'gates', stream_id: id, content: 'Yes' },
    ])
  })

  it('to a group conversation reaches its active members though one is deactivated', async () => {
    const [dan, eve] = [await buildUser(realm, { name: 'Dan' }), await buildUser(realm, { name: 'Eve' })]
    const to = await replyAddress({ type: 'direct', to: [ann.id, dan.id, eve.id], content: 'Shall we?' })
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'Yes' }))).toBeNull()
    for (const reader of [ben, eve]) {
      const [message] = await newest(reader)
      expect(message).toMatchObject({ sender_id: ann.id, type: 'private', content: 'Yes' })
      const people = (message!.display_recipient as { id: number }[]).map(({ id }) => id)
      expect(people.sort()).toEqual([ann.id, ben.id, eve.id].sort())
    }
  })

  it('to somebody who is deactivated is refused, and says so', async () => {
    const dan = await buildUser(realm, { name: 'Dan' })
    await send(dan, toAnn())
    const to = (await mailbox.only(ann)).headers['Reply-To']!
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'Yes' }))).toContain(
      'is no longer using Parley.',
    )
  })

  it('is offered in the mail only if the deployment accepts replies', async () => {
    await send(ben, toAnn())
    expect((await mailbox.only(ann)).text).toContain('Reply to this email')
    world.settings = { EMAIL_API_URL: world.settings.EMAIL_API_URL! }
    await send(ben, toAnn())
    const { text, headers } = await mailbox.only(ann)
    expect(text).toContain('are not read')
    expect(headers['Reply-To']).toBeUndefined()
  })

  it('may have files, and is converted to text if it is only HTML', async () => {
    const to = await replyAddress(toAnn())
    const mail = await writeMail({
      to,
      html: '<p>See <b>this</b></p><blockquote type="cite"><p>On 21. Nov 2026, at 11:02, Castle &lt;a@b.example&gt; wrote:</p><p>Shall we?</p></blockquote>',
      attachments: [{ filename: 'a [b].txt', content: 'a file' }],
    })
    expect(await deliverMail(realm.host, to, mail)).toBeNull()
    const [message] = await newest(ben)
    const { content } = message as { content: string }
    expect(content).toMatch(/^See \*\*this\*\*\n\n\[a b\.txt\]\(\/user_uploads\/\S+\/a-b\.txt\)$/)
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    expect(attachments).toMatchObject([{ name: 'a [b].txt', size: 6, messages: [{ id: message!.id }] }])
  })

  it('keeps the structure of HTML: code, nested lists, tables and headings are rendered as such', async () => {
    const to = await replyAddress(toAnn())
    const html =
      '<h2>Plan</h2><ul><li>one<ul><li>a<ul><li>deep</li></ul></li></ul></li></ul><pre>if x:\n    y()</pre><p>&nbsp;&nbsp;&nbsp; indented</p><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table>'
    expect(await deliverMail(realm.host, to, await writeMail({ to, html }))).toBeNull()
    const [{ id } = { id: 0 }] = (await newest(ben)) as { id: number }[]
    const { message } = expectSuccess(await ben.api.get(`/messages/${id}`))
    expect(message.content.replaceAll(/\n/g, '').replaceAll(/ class="[^"]*"/g, '')).toMatch(
      /^<h2>Plan<\/h2><ul><li>one<ul><li>a<ul><li>deep<\/li><\/ul><\/li><\/ul><\/li><\/ul><div><pre>.*if x: {4}y\(\).*<\/pre><\/div><p>indented<\/p><table>.*<td>2<\/td>.*<\/table>$/,
    )
  })

  it('becomes one message, however often the mail is delivered', async () => {
    const to = await replyAddress(toAnn())
    const mail = await writeMail({ to, text: 'Once', attachments: [{ filename: 'a.txt', content: 'a' }] })
    expect([await deliverMail(realm.host, to, mail), await deliverMail(realm.host, to, mail)]).toEqual([
      null,
      null,
    ])
    const before = expectSuccess(await ann.api.get('/attachments')).attachments.length
    expect(await deliverMail(realm.host, to, mail)).toBeNull()
    expect((await newest(ben, 2)).map(({ content }) => (content as string).startsWith('Once'))).toEqual([
      false,
      true,
    ])
    expect(expectSuccess(await ann.api.get('/attachments')).attachments).toHaveLength(before)
  })

  it('becomes one message even if the organization’s answer was lost', async () => {
    const to = await replyAddress(toAnn())
    const mail = await writeMail({ to, text: 'Lost' })
    let calls = 0
    world.reach = async (call) => {
      const answer = await call()
      calls += 1
      // The first call only asks whether the mail may be sent.
      if (calls > 1) throw Object.assign(new Error('Network connection lost.'), { retryable: true })
      return answer
    }
    await expect(deliverMail(realm.host, to, mail)).rejects.toThrow()
    world.reach = (call) => call()
    expect(await deliverMail(realm.host, to, mail)).toBeNull()
    expect((await newest(ben, 2)).map(({ content }) => content === 'Lost')).toEqual([false, true])
  })

  it('waits for the gate, and is retried if too much waits there', async () => {
    const to = await replyAddress(toAnn())
    const mail = await writeMail({ to, text: 'Parsed' })
    const turns = refuseNextSlice()
    await expect(deliverMail(realm.host, to, mail)).rejects.toThrow()
    expect((await newest(ben)).map(({ content }) => content)).not.toContain('Parsed')
    expect(await deliverMail(realm.host, to, mail)).toBeNull()
    expect(turns()).toBeGreaterThanOrEqual(2)
    expect((await newest(ben)).map(({ content }) => content)).toContain('Parsed')
  })

  it('also works in mail sent by Cloudflare’s service', async () => {
    const sent: EmailMessageBuilder[] = []
    const SEND_EMAIL = { send: async (mail: EmailMessageBuilder) => sent.push(mail) }
    world.settings = { EMAIL_DOMAIN: MAIL_DOMAIN }
    world.bindings = { SEND_EMAIL }
    await send(ben, toAnn())
    await mailbox.deliver()
    expect(sent).toMatchObject([{ to: ann.email, replyTo: expect.stringMatching(/^r_/) }])
    expect(sent[0]!.headers).not.toHaveProperty('Reply-To')
  })

  it.each([
    ['says nothing', { text: '> Shall we?\n> Yes?\n> No?' }, 'no text'],
    [
      'has too many files',
      { text: 'a', attachments: Array.from({ length: 21 }, () => ({ filename: 'a', content: 'a' })) },
      '20 files',
    ],
    [
      'has more lines than mail has',
      { text: 'a\n'.repeat(200_001), textEncoding: 'quoted-printable' as const },
      'cannot be read',
    ],
    ['is too large', { text: 'a'.repeat(10 * 1024 * 1024) }, 'too large'],
  ])('is bounced with the reason when it %s', async (_what, options, why) => {
    const to = await replyAddress(toAnn())
    expect(await deliverMail(realm.host, to, await writeMail({ to, ...options }))).toContain(why)
    expect((await newest(ben))[0]!.sender_id).toBe(ben.id)
  })

  it('is refused if the replier may not post', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const to = await replyAddress(mentionIn(id))
    expectSuccess(
      await realm.owner.api.patch(`/streams/${id}`, {
        can_send_message_group: { new: { direct_members: [ben.id], direct_subgroups: [] } },
      }),
    )
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'Yes' }))).toBe(
      'You do not have permission to post in this channel.',
    )
  })

  it('is refused as an unknown address after the replier left a private channel', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben], { invite_only: true })
    const to = await replyAddress(mentionIn(id))
    expectSuccess(
      await ann.api.delete('/users/me/subscriptions', {
        subscriptions: [(await newest(ben))[0]!.display_recipient!],
      }),
    )
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'Yes' }))).toBe(NOBODY)
  })

  it('is refused after a deletion, a deactivation, or three months', async () => {
    const gone = await send(ben, toAnn())
    const to = (await mailbox.only(ann)).headers['Reply-To']!
    const mail = await writeMail({ to, text: 'Yes' })
    const dan = await buildUser(realm, { name: 'Dan' })
    await send(ben, { type: 'direct', to: [dan.id] })
    const toDan = (await mailbox.only(dan)).headers['Reply-To']!
    await send(ben, toAnn())
    const late = (await mailbox.only(ann)).headers['Reply-To']!
    expectSuccess(await realm.owner.api.delete(`/users/${dan.id}`))
    expect(await deliverMail(realm.host, toDan, mail)).toBe(NOBODY)
    expectSuccess(await ben.api.delete(`/messages/${gone}`))
    expect(await deliverMail(realm.host, to, mail)).toBe(NOBODY)
    mailbox.pass(91 * 86_400)
    expect(await deliverMail(realm.host, late, mail)).toBe(NOBODY)
  })

  it('is refused at an address that this organization did not issue', async () => {
    const to = await replyAddress(toAnn())
    const mail = await writeMail({ to, text: 'Yes' })
    const [local] = to.split('@') as [string]
    const other = local.endsWith('0') ? '1' : '0'
    const [kind, organization, user, ...rest] = local.split('_')
    const wrong = [
      `${local}@elsewhere.example`,
      `${local.slice(0, -1)}${other}@${MAIL_DOMAIN}`,
      `${[kind, organization, ben.id.toString(36), ...rest].join('_')}@${MAIL_DOMAIN}`,
      `${[kind, (realm.id + 1).toString(36), user, ...rest].join('_')}@${MAIL_DOMAIN}`,
      `${[kind, 'zzzzzz', user, ...rest].join('_')}@${MAIL_DOMAIN}`,
      `hello@${MAIL_DOMAIN}`,
      'nothing',
    ]
    for (const address of wrong) expect(await deliverMail(realm.host, address, mail), address).toBe(NOBODY)
    expect((await newest(ben))[0]!.sender_id).toBe(ben.id)
  })

  it('is dropped if it was sent automatically', async () => {
    const to = await replyAddress(toAnn())
    for (const headers of [
      { 'Auto-Submitted': 'auto-replied' },
      { 'Auto-Submitted': 'auto-generated' },
      { Precedence: 'bulk' },
      { 'X-Autoreply': 'yes' },
    ]) {
      expect(
        await deliverMail(realm.host, to, await writeMail({ to, text: 'I am away', headers })),
      ).toBeNull()
    }
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'I am away' }), '')).toBeNull()
    expect(
      await deliverMail(realm.host, to, await writeMail({ to, text: 'Me', from: `noreply@${realm.host}` })),
    ).toBeNull()
    expect((await newest(ben))[0]!.sender_id).toBe(ben.id)
  })

  it('is limited in number, and refused with the time to wait', async () => {
    world.settings = { ...world.settings, RATE_LIMIT_MAIL_REPLIES: '2/60' }
    const to = await replyAddress(toAnn())
    const answers: (string | null)[] = []
    for (const text of ['1', '2', '3'])
      answers.push(await deliverMail(realm.host, to, await writeMail({ to, text })))
    expect(answers).toEqual([null, null, expect.stringMatching(/^Too many mails .* in \d+ seconds\.$/)])
  })
})

describe('a report that mail could not be delivered', () => {
  const pausedNotices = async (user: TestUser) =>
    (await newest(user, 20)).filter(({ content }) => (content as string).includes('cannot be delivered'))

  it('stops mail to the failing address and to no other', async () => {
    const eve = await buildUser(realm, { name: 'Eve' })
    const localPart = await changeRealm(realm, (tx) => bounceLocalPart(tx, eve.email)!)
    const ofAnn = await changeRealm(realm, (tx) => bounceLocalPart(tx, ann.email)!)
    const mixed = [...ofAnn.split('_').slice(0, -2), ...localPart.split('_').slice(-2)].join('_')
    const report = deliveryReport({ status: '5.1.1' })
    const bounce = (to: string, raw = report) => deliverMail(realm.host, `${to}@${MAIL_DOMAIN}`, raw, '<>')
    await bounce(mixed)
    await bounce(localPart, deliveryReport({ status: '5.2.2' }))
    await bounce(localPart, deliveryReport({ action: 'delayed', status: '5.1.1' }))
    expect([await pausedNotices(ann), await pausedNotices(eve)]).toEqual([[], []])
    await bounce(localPart)
    expect(await pausedNotices(eve)).toMatchObject([{ sender_full_name: 'Notification Bot' }])
    await send(ben, { type: 'direct', to: [eve.id] })
    expect(await mailbox.count(eve)).toBe(0)
  })

  it('is ignored for an address that its owner has changed since', async () => {
    const fay = await buildUser(realm, { name: 'Fay' })
    const localPart = await changeRealm(realm, (tx) => bounceLocalPart(tx, fay.email)!)
    expectSuccess(await realm.owner.api.patch(`/users/${fay.id}`, { new_email: `fay2@${realm.host}` }))
    await deliverMail(realm.host, `${localPart}@${MAIL_DOMAIN}`, deliveryReport({ status: '5.1.1' }), '')
    expect(
      await changeRealm(realm, (tx) =>
        tx.sql.first(`SELECT 1 FROM paused_address WHERE user_id = ?`, fay.id),
      ),
    ).toBeUndefined()
  })
})

describe('mail to a channel', () => {
  it('becomes a message of the e-mail gateway: subject as topic, sender named', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben], { name: `Gate Ünd Walls ${realm.id}` })
    const to = await address(ann, id)
    expect(to).toMatch(/^gate-und[a-z0-9-]*\.c_[0-9a-z_]+\.show-sender@mail\.example\.test$/)
    expect(to.length).toBeLessThanOrEqual(64 + 1 + MAIL_DOMAIN.length)
    const mail = await writeMail({
      to,
      subject: 'Re: [Fwd: The gate]',
      text: 'It is\n    open.\n-- \nStranger',
    })
    expect(await deliverMail(realm.host, to, mail)).toBeNull()
    expect(await newest(ben)).toMatchObject([
      {
        sender_full_name: 'Email Gateway',
        stream_id: id,
        subject: 'The gate',
        content: 'From: Stranger <stranger@far.example>\nIt is\n   open.',
      },
    ])
  })

  it('is formatted by the options in the address', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const token = (await address(ann, id)).split('@')[0]!.replace('.show-sender', '').replace(/^.*\./, '')
    const shown = async (options: string, mail: Parameters<typeof writeMail>[0] = {}) => {
      const to = `renamed.${token}${options}@${MAIL_DOMAIN}`
      const answer =
        'Yes\n\nOn Sat, Nov 21, 2026 at 11:02 AM Ben <b@c.example> wrote:\n\n> a\n> b\n> c\n\n--\nfooter'
      expect(
        await deliverMail(
          realm.host,
          to,
          await writeMail({ to, subject: 'Re: a', text: answer, html: '<p>As <b>HTML</b></p>', ...mail }),
        ),
      ).toBeNull()
      return (await newest(ben))[0]!.content
    }
    expect(await shown('')).toBe('Yes')
    expect(await shown('+show-sender')).toBe('From: Stranger <stranger@far.example>\nYes')
    expect(await shown('.prefer-html')).toBe('As **HTML**')
    expect(await shown('.include-quotes')).toContain('> a\n> b\n> c')
    expect(await shown('', { subject: 'Fwd: a' })).toContain('> a\n> b\n> c')
    expect(await shown('', { text: 'Agenda\nDate: tomorrow\nall of it', subject: 'a' })).toBe(
      'Agenda\nDate: tomorrow\nall of it',
    )
    expect(await shown('.include-footer', { text: 'Yes\n--\nfooter' })).toBe('Yes\n--\nfooter')
    expect(await shown('', { text: '', html: '' })).toBe('(No email body)')
    expect(await shown('', { headers: { 'Auto-Submitted': 'auto-generated', Precedence: 'bulk' } })).toBe(
      'Yes',
    )
  })

  it('is cut if too long, and keeps its files', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const to = await address(ann, id)
    const mail = await writeMail({
      to,
      text: 'long '.repeat(3_000),
      attachments: [{ filename: 'a.txt', content: 'a' }],
    })
    expect(await deliverMail(realm.host, to, mail)).toBeNull()
    const { content, subject } = (await newest(ben))[0] as { content: string; subject: string }
    expect(subject).toBe('Email with no subject')
    expect(content).toMatch(/\n\[message truncated\]\n\n\[a\.txt\]\(\S+\)$/)
    expect(content.length).toBe(10_000)
  })

  it('can be posted as the user or the user’s bot, if they may post', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const bot = expectSuccess(
      await ann.api.post('/bots', { full_name: 'Postman', short_name: 'postman', bot_type: 1 }),
    )
    for (const sender of [ann.id, bot.user_id]) {
      const to = await address(ann, id, sender)
      expect(await deliverMail(realm.host, to, await writeMail({ to, subject: 'a', text: 'b' }))).toBeNull()
      expect((await newest(ben))[0]!.sender_id).toBe(sender)
    }
    const of = (sender_id: number) => ben.api.get(`/streams/${id}/email_address`, { sender_id })
    expect((await of(ann.id)).body.msg).toBe('No such bot')
    expect((await of(9_999)).body.msg).toBe('No such bot')
    expect((await of(bot.user_id)).body.msg).toBe('Insufficient permission')
    const to = await address(ann, id, bot.user_id)
    expectSuccess(await ann.api.delete(`/bots/${bot.user_id}`))
    expect(await deliverMail(realm.host, to, await writeMail({ to, text: 'b' }))).toBe(NOBODY)
  })

  it('is refused when the address’s owner may not post, or the channel is archived', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const [ofAnn, ofBen] = [await address(ann, id), await address(ben, id)]
    const mail = await writeMail({ text: 'b' })
    const mayPost = (user: TestUser) =>
      realm.owner.api
        .patch(`/streams/${id}`, {
          can_send_message_group: { new: { direct_members: [user.id], direct_subgroups: [] } },
        })
        .then(expectSuccess)
    await mayPost(ben)
    expect(await deliverMail(realm.host, ofAnn, mail)).toBe(NOBODY)
    expect((await ann.api.get(`/streams/${id}/email_address`)).body.msg).toBe(
      'You do not have permission to post in this channel.',
    )
    expect(await deliverMail(realm.host, ofBen, mail)).toBeNull()
    expectSuccess(await realm.owner.api.delete(`/streams/${id}`))
    expect(await deliverMail(realm.host, ofBen, await writeMail({ text: 'c' }))).toBe(NOBODY)
  })

  it('is limited across all channels', async () => {
    world.settings = { ...world.settings, RATE_LIMIT_CHANNEL_MAIL: '1/600' }
    mailbox.pass(3_600)
    const { id } = await buildChannel([realm.owner, ann, ben])
    const to = await address(ann, id)
    expect(await deliverMail(realm.host, to, await writeMail({ text: '1' }))).toBeNull()
    expect(await deliverMail(realm.host, to, await writeMail({ text: '2' }))).toContain('Too many mails')
  })

  it('has no address if the deployment accepts no mail', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const to = await address(ann, id)
    world.settings = {}
    expect(await address(ann, id)).toBe('')
    expect(await deliverMail(realm.host, to, await writeMail({ text: 'b' }))).toBe(NOBODY)
  })

  it('is ignored if the organization or an automatic program sent it', async () => {
    const { id } = await buildChannel([realm.owner, ann, ben])
    const to = await address(ann, id)
    await send(ben, { type: 'channel', to: id, topic: 'a', content: 'last' })
    world.settings = { ...world.settings, EMAIL_FROM: 'Parley <chat@far.example>' }
    expect(
      await deliverMail(realm.host, to, await writeMail({ text: 'b', from: 'CHAT@far.example' })),
    ).toBeNull()
    expect(
      await deliverMail(
        realm.host,
        to,
        await writeMail({ text: 'b', headers: { 'Auto-Submitted': 'auto-replied' } }),
      ),
    ).toBeNull()
    expect((await newest(ben))[0]!.content).toBe('last')
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LocalServer } from '../../scripts/local-server.ts'
import type { CreatedOrganization } from '../../scripts/organizations.ts'
import { sendFromHere, sendFromServer } from '../../scripts/send-test-mail.ts'
import { readSmtpServer, writeMime } from '../../src/outgoing/emails/email-by-smtp.ts'
import { RefusedAddressFailure } from '../../src/outgoing/emails/email-handover.ts'
import { sendByBinding } from '../../src/outgoing/emails/email-sender.ts'
import { FinalFailure } from '../../src/outgoing/work-in-lanes.ts'
import { readJson } from '../support/json.ts'
import { AUTHORITY, type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { found } from './found.ts'

// Miniflare reads the certificates that it trusts when it is loaded.
process.env.NODE_EXTRA_CA_CERTS = AUTHORITY
const { startLocalServer } = await import('../../scripts/local-server.ts')

const LOGIN = 'ann:p%40ss%3Aword'
const FROM = { EMAIL_FROM: 'Pärlei <noreply@chat.example.com>' }

const BOUNCES = { EMAIL_DOMAIN: 'mail.example.com', EMAIL_BOUNCES: 'on' }

let taking: MailServer
let server: LocalServer
let owner: CreatedOrganization
beforeAll(async () => {
  taking = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('gone') ? refusal(550, '5.1.1 No such user') : undefined),
  })
  const SMTP_URL = `smtp://${LOGIN}@localhost:${taking.port}`
  server = await startLocalServer({ vars: { SMTP_URL, ...FROM, ...BOUNCES, RATE_LIMITS: 'off' } })
  owner = await found(server)
})
afterAll(async () => {
  await server.stop()
  await taking.stop()
})

/** The servers of one test. */
const others: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop()
})

async function another(options: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const mailServer = await startMailServer(options)
  others.push(mailServer)
  return mailServer
}

async function ask(method: string, path: string, fields: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${owner.email}:${owner.api_key}`)}` },
    ...(method === 'GET' ? {} : { body: new URLSearchParams(fields) }),
  })
  return readJson(response)
}

const invite = (email: string) =>
  ask('POST', '/invites', { invitee_emails: email, stream_ids: '[]', invite_expires_in_minutes: 'null' })

describe('mail that goes by SMTP', () => {
  it('bounces to an address of its own if the recipient has an account', async () => {
    const asked = await fetch(`${server.url}/accounts/password/reset/`, {
      method: 'POST',
      body: new URLSearchParams({ email: owner.email }),
    })
    expect(asked.status).toBe(200)
    const { from, parsed } = await taking.next()
    expect(from).toMatch(/^b_[0-9a-z_]+@mail\.example\.com$/)
    expect(parsed.from?.address).toBe('noreply@chat.example.com')
  })

  it('arrives encrypted, authenticated, readable, and without smuggled headers', async () => {
    await ask('PATCH', '/realm', { name: 'Söhne & Töchter 東京' })
    expect((await invite('bea@example.com')).result).toBe('success')
    const mail = await taking.next()
    expect(mail).toMatchObject({ to: ['bea@example.com'], wasEncrypted: true, user: 'ann' })
    expect(mail.from).toBe('noreply@chat.example.com')
    expect(mail.parsed.from).toEqual({ name: 'Pärlei', address: 'noreply@chat.example.com' })
    expect(mail.parsed.subject).toBe('Ann has invited you to join Söhne & Töchter 東京')
    expect(mail.parsed.text).toContain('to join Söhne & Töchter 東京, where the team talks.')
    expect(mail.parsed.html).toContain('to join Söhne &#38; Töchter 東京, where the team talks.')
    const link = /http:\S+\/join\/\S+/.exec(mail.parsed.text!)![0]
    expect(mail.parsed.html).toContain(`<a href="${link}">${link}</a>`)
    expect(mail.parsed.headers.map(({ key }) => key).sort()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ])
    expect(Math.max(...mail.raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(
      998,
    )
  })

  it('invites strangers in the organization’s language, with all its letters intact', async () => {
    await ask('PATCH', '/realm', { default_language: 'de' })
    expect((await invite('cem@example.com')).result).toBe('success')
    await ask('PATCH', '/realm', { default_language: 'en' })
    const { parsed } = await taking.next()
    expect(parsed.subject).toBe('Ann lädt dich zu Söhne & Töchter 東京 ein')
    for (const part of [parsed.text, parsed.html]) expect(part).toContain('Um dein Konto anzulegen, öffne')
    expect(parsed.html).toContain('<html lang="de">')
  })

  it('is given up at once for an unknown address, and owners see why', async () => {
    expect((await invite('gone@example.com,there@example.com')).result).toBe('success')
    expect((await taking.next()).to).toEqual(['there@example.com'])
    expect(await ask('GET', '/dead_letters')).toMatchObject({
      dead_letters: [
        {
          attempts: 1,
          description: expect.stringContaining('gone@example.com'),
          error: 'The SMTP server does not take mail for this address: 550 5.1.1 No such user',
        },
      ],
    })
  })
})

describe('npm run send-test-mail', () => {
  const options = { to: 'bea@example.com', host: 'localhost' }
  const tried = (SMTP_URL: string) => sendFromHere({ SMTP_URL, ...FROM }, options)
  it('is refused to callers who cannot write the deployment’s D1', async () => {
    await expect(sendFromServer(server.url, async () => {}, options)).rejects.toThrow('Invalid ticket')
  })

  it('explains the problem', async () => {
    const database = await server.runtime.getD1Database('DB')
    const write = (sql: string) => database.prepare(sql).run()
    const to = 'bad address@example.com'
    await expect(sendFromServer(server.url, write, { ...options, to })).rejects.toThrow('to is not valid')
    const plain = await another({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    await expect(tried(`smtp://${LOGIN}@localhost:${plain.port}`)).rejects.toThrow(
      /^No encrypted connection with the SMTP server localhost:\d+ \(STARTTLS/,
    )
    const good = await another({
      allowInsecureAuth: true,
      onMailFrom: (_address, _session, done) => done(refusal(553, 'not yours')),
    })
    await expect(tried(`smtp://ann:wrong@127.0.0.1:${good.port}?tls=none`)).rejects.toThrow(
      /refused name or password: 535 Invalid username or password/,
    )
    await expect(tried(`smtp://${LOGIN}@127.0.0.1:${good.port}?tls=none`)).rejects.toThrow(
      /refused the sender \(EMAIL_FROM\): 553 not yours/,
    )
    expect(plain.taken.length + good.taken.length).toBe(0)
    await expect(tried('smtp://localhost:1')).rejects.toThrow(
      /^No connection with the SMTP server localhost:1: /,
    )
    await expect(tried('mail.example.com')).rejects.toThrow(/^SMTP_URL is not understood/)
    await expect(sendFromHere({}, options)).rejects.toThrow(/^No way out is set for mail/)
  })
})

describe('a mail on the wire', () => {
  const email = {
    messageId: '<1@x.example>',
    recipient: 'b@example.com',
    subject: 's',
    text: 't',
    writtenAt: 0,
  }
  const write = async (change: Partial<typeof email> & { html?: string; senderName?: string }) =>
    new TextDecoder().decode(
      await writeMime({ host: 'x.example', from: 'noreply@x.example', email: { ...email, ...change } }),
    )

  it('has no header that a subject or a name has injected', async () => {
    const mime = await write({
      subject: 'a\r\nBcc: eve@example.com',
      senderName: 'N"\r\nBcc: eve@example.com',
    })
    const names = mime.split('\r\n\r\n')[0]!.match(/^[\w-]+(?=:)/gm)!
    expect(names).not.toContain('Bcc')
    expect(names).toContain('Subject')
  })

  it('reads no file and calls no server named in texts', async () => {
    const html = '<img src="file:///etc/passwd"><img src="https://example.com/x.png">'
    expect(await write({ html })).toContain('file:///etc/passwd')
  })
})

describe('mail that goes by Cloudflare’s binding', () => {
  const email = {
    messageId: '<1@x.example>',
    recipient: 'b@example.com',
    subject: 's',
    text: 't',
    writtenAt: 0,
  }
  const handover = { host: 'x.example', from: 'Parley <noreply@x.example>', email }

  it('has the headers that the service allows, and no others', async () => {
    const sent: unknown[] = []
    const SEND_EMAIL = {
      send: async (mail: unknown) => {
        sent.push(mail)
        return { messageId: 'of the service' }
      },
    }
    await sendByBinding({ SEND_EMAIL }, handover)
    expect(sent).toEqual([
      {
        from: { name: 'Parley', email: 'noreply@x.example' },
        to: 'b@example.com',
        subject: 's',
        text: 't',
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      },
    ])
  })

  it.each([
    ['E_RECIPIENT_SUPPRESSED', RefusedAddressFailure],
    ['E_VALIDATION_ERROR', FinalFailure],
    ['E_RATE_LIMIT_EXCEEDED', Error],
  ])('is refused with %s', async (code, kind) => {
    const send = () => Promise.reject(Object.assign(new Error('no'), { code }))
    const failure: Error = await sendByBinding({ SEND_EMAIL: { send } }, handover).catch((error) => error)
    expect(failure.constructor).toBe(kind)
    expect(failure.message).toBe(`Cloudflare’s mail service did not take it: ${code} no`)
  })
})

describe('SMTP_URL', () => {
  it('has the usual default ports, and escaped characters in name and password', () => {
    expect(readSmtpServer('smtps://a%40b:p%2F%25@mail.example.com')).toEqual({
      host: 'mail.example.com',
      port: 465,
      tls: 'at once',
      login: { user: 'a@b', password: 'p/%' },
    })
    expect(readSmtpServer('smtp://[::1]')).toMatchObject({ host: '::1', port: 587, tls: 'upgraded' })
  })

  it.each(['', 'mail.example.com', 'https://mail.example.com', 'smtp://', 'smtp://u:%zz@h'])(
    '%j is refused without revealing the password',
    (url) => expect(() => readSmtpServer(url)).toThrow(/^SMTP_URL is not understood/),
  )
})

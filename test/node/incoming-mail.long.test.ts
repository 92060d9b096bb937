import MailComposer from 'nodemailer/lib/mail-composer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, startLocalServer } from '../../scripts/local-server.ts'
import { readJson } from '../support/json.ts'
import { found } from './found.ts'

const EMAIL_DOMAIN = 'mail.example.com'

let server: LocalServer
let owner: Awaited<ReturnType<typeof found>>
beforeAll(async () => {
  server = await startLocalServer({
    entry: 'deployed',
    triggers: true,
    vars: { EMAIL_DOMAIN, RATE_LIMITS: 'off' },
  })
  owner = await found(server)
})
afterAll(() => server.stop())

async function ask(method: string, path: string) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${owner.email}:${owner.api_key}`)}` },
  })
  return readJson(response)
}

/** Delivers a mail as the platform does: by the mail handler of the deployed Worker. */
async function deliverMail(to: string, raw: Uint8Array) {
  const query = new URLSearchParams({ from: 'bea@far.example', to, format: 'json' })
  const response = await server.runtime.dispatchFetch(`http://localhost/cdn-cgi/local/email?${query}`, {
    method: 'POST',
    body: raw,
  })
  return readJson<{ outcome: string; rejectReason?: string }>(response)
}

it('the deployed Worker accepts mail from the platform, or says why not', async () => {
  const { streams } = await ask('GET', '/streams')
  const { email: to } = await ask('GET', `/streams/${streams[0].stream_id}/email_address`)
  const raw = await new MailComposer({
    from: 'Bea <bea@far.example>',
    to,
    subject: 'Re: Büro',
    text: 'Grüße',
    attachments: [{ filename: 'Büro.txt', content: 'Tür' }],
  })
    .compile()
    .build()
  expect(await deliverMail(to, raw)).toMatchObject({ outcome: 'ok' })
  const { messages } = await ask(
    'GET',
    '/messages?anchor=newest&num_before=1&num_after=0&apply_markdown=false',
  )
  expect(messages.at(-1)).toMatchObject({ sender_full_name: 'Email Gateway', subject: 'Büro' })
  const { content } = messages.at(-1)
  expect(content).toMatch(/^From: Bea <bea@far\.example>\nGrüße\n\n\[Büro\.txt\]\(\/user_uploads\/\S+\)$/)
  expect(await deliverMail(`nobody@${EMAIL_DOMAIN}`, raw)).toMatchObject({
    outcome: 'ok',
    rejectReason: 'Nobody takes mail at this address, or no longer.',
  })
})

it('the deployed Worker accepts no mail from other senders', async () => {
  const asked = await fetch(`${server.url}/dev/mail?from=a@b.example&to=c@${EMAIL_DOMAIN}`, {
    method: 'POST',
    body: 'a',
  })
  expect(asked.status).toBe(404)
})

import { afterEach, describe, expect, it } from 'vitest'
import { sendFromServer } from '../../scripts/send-test-mail.ts'
import { AUTHORITY, type MailServer, startMailServer } from '../support/mail-server.ts'
import { found } from './found.ts'

// Miniflare reads the certificates that it trusts when it is loaded.
process.env.NODE_EXTRA_CA_CERTS = AUTHORITY
const { startLocalServer } = await import('../../scripts/local-server.ts')

const LOGIN = 'ann:p%40ss%3Aword'
const EMAIL_FROM = 'noreply@chat.example.com'

const others: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop()
})

async function another(options: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const mailServer = await startMailServer(options)
  others.push(mailServer)
  return mailServer
}

/** Lets a deployment with this setting send a test mail. */
async function sendFromDeployment(SMTP_URL: string): Promise<string> {
  const deployed = await startLocalServer({ vars: { SMTP_URL, EMAIL_FROM } })
  others.push(deployed)
  await found(deployed)
  const database = await deployed.runtime.getD1Database('DB')
  const options = { to: 'bea@example.com', host: 'localhost' }
  return sendFromServer(deployed.url, (sql) => database.prepare(sql).run(), options)
}

describe('npm run send-test-mail --remote', () => {
  const ways: [string, Parameters<typeof startMailServer>[0], (port: number) => string, string][] = [
    ['by STARTTLS', {}, (port) => `smtp://${LOGIN}@localhost:${port}`, 'with STARTTLS, as ann'],
    ['by TLS at once', { secure: true }, (port) => `smtps://${LOGIN}@localhost:${port}`, 'with TLS, as ann'],
    [
      'to a server on the same machine that knows neither',
      { hideSTARTTLS: true, authOptional: true },
      (port) => `smtp://127.0.0.1:${port}?tls=none`,
      'without TLS, without a login',
    ],
  ]

  it.each(ways)('makes a deployment send %s, and says how', async (_, mailOptions, urlOf, how) => {
    const mailServer = await another(mailOptions)
    const way = await sendFromDeployment(urlOf(mailServer.port))
    expect(way).toContain(`:${mailServer.port}, ${how}`)
    expect((await mailServer.next()).parsed.subject).toBe('Mail from localhost arrives')
  })

  it('trusts no server with another’s certificate', async () => {
    for (const secure of [true, false]) {
      const impostor = await another({ certificate: 'elsewhere', secure })
      const SMTP_URL = `${secure ? 'smtps' : 'smtp'}://${LOGIN}@localhost:${impostor.port}`
      await expect(sendFromDeployment(SMTP_URL)).rejects.toThrow(
        /No (encrypted )?connection with the SMTP server localhost/,
      )
      expect(impostor.taken).toEqual([])
    }
  })
})

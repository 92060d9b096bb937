import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

const FILES = join(import.meta.dirname, '../data/mail-server')

/** The certificate authority of the tests' mail servers. Its servers' keys are in this repository, so only tests may trust it. */
export const AUTHORITY = join(FILES, 'authority.pem')

/** A mail as a server received it. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  readonly wasEncrypted: boolean
  readonly user: string | undefined
  readonly raw: string
  readonly parsed: Email
}

export interface MailServer {
  readonly port: number
  readonly taken: readonly TakenMail[]
  /** Returns the first mail not returned yet, or waits for one. */
  next(): Promise<TakenMail>
  stop(): Promise<void>
}

/** Starts an SMTP server that accepts mail from `ann` with the password `p@ss:word`, unless `options` say otherwise. */
export async function startMailServer(
  options: SMTPServerOptions & { certificate?: 'localhost' | 'elsewhere' } = {},
): Promise<MailServer> {
  const { certificate = 'localhost', ...rest } = options
  const taken: TakenMail[] = []
  const waiting: ((mail: TakenMail) => void)[] = []
  let returned = 0
  const server = new SMTPServer({
    key: readFileSync(join(FILES, `${certificate}.key.pem`)),
    cert: readFileSync(join(FILES, `${certificate}.pem`)),
    onAuth({ username, password }, _session, done) {
      if (username === 'ann' && password === 'p@ss:word') done(null, { user: username })
      else done(new Error('Invalid username or password'))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        const mail = {
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          wasEncrypted: session.secure,
          user: session.user as string | undefined,
          raw: raw.toString(),
          parsed: await PostalMime.parse(raw),
        }
        taken.push(mail)
        done(null, 'queued')
        const asked = waiting.shift()
        if (asked) {
          returned += 1
          asked(mail)
        }
      })
    },
    ...rest,
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    next() {
      const mail = taken[returned]
      if (!mail) return new Promise((resolve) => waiting.push(resolve))
      returned += 1
      return Promise.resolve(mail)
    },
    stop: () => new Promise((done) => server.close(() => done())),
  }
}

/** Returns the error of a refusal by the server: an SMTP code and the text after it. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/**
 * `npm run send-test-mail -- --to ann@example.com` sends a test mail from this machine with the settings of this environment
 * (docs/configuration.md). With `--remote` the deployment sends it, with its own settings.
 *
 * Like founding an organization, this needs only the right to write to the account's D1.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { testEmail } from '../src/outgoing/emails/email-handover.ts'
import {
  describeEmailWay,
  type EmailEnvironment,
  emailOutletOf,
  NO_MAIL_SERVICE,
} from '../src/outgoing/emails/email-sender.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { readAnswer, ticketStatement } from './organizations.ts'
import { exitWithError } from './project.ts'
import { settingsFrom } from './settings.ts'

const USAGE = `Usage: npm run send-test-mail -- --to ADDRESS
  --remote --host HOST   from what \`npm run deploy\` put online, as the organization at HOST
  --url URL              where it answers, if not at https://HOST`

export interface TestMailOptions {
  to: string
  host: string
  /** The deployment that sends; absent: this machine. */
  url?: string
}

function readOptions(): TestMailOptions {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      host: { type: 'string', default: 'localhost' },
      remote: { type: 'boolean', default: false },
      url: { type: 'string' },
    },
  })
  const { to, host, remote, url } = values
  if (to === undefined || (remote && host === 'localhost')) throw new Error(USAGE)
  return remote ? { to, host, url: (url ?? `https://${host}`).replace(/\/+$/, '') } : { to, host }
}

/**
 * Sends from this machine; returns which mail service was used.
 * @throws {Error} with the reason.
 */
export async function sendFromHere(env: EmailEnvironment, { to, host }: TestMailOptions): Promise<string> {
  const way = describeEmailWay(env)
  if (way === undefined)
    throw new Error(`${NO_MAIL_SERVICE} (In this environment; the binding exists only in a deployment.)`)
  await emailOutletOf(env, host).send(testEmail(host, to, Date.now() / 1_000))
  return way
}

/** Lets a server send, with a ticket in its D1 as the permission. */
export async function sendFromServer(
  url: string,
  writeD1: (sql: string) => Promise<unknown>,
  { to, host }: TestMailOptions,
): Promise<string> {
  const ticket = randomBytes(32).toString('hex')
  await writeD1(ticketStatement(ticket, host))
  const response = await fetch(`${url}/setup/test-mail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket, host, to }),
  })
  return ((await readAnswer(response)) as { way: string }).way
}

async function main(): Promise<void> {
  const options = readOptions()
  const writeD1 = remoteD1('parley')
  const way = options.url
    ? await sendFromServer(options.url, writeD1, options)
    : await sendFromHere(settingsFrom(process.env), options)
  console.log(
    `${options.to}: handed over to ${way}. Whether it arrives depends on that service, and on SPF and DKIM (docs/mail.md).`,
  )
}

if (import.meta.main) await main().catch(exitWithError)

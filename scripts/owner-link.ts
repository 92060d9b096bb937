/**
 * `npm run owner-link -- --host HOST --email EMAIL` prints a link that logs an owner in, once, within a quarter of an hour: the way back where
 * a log-in provider or a second factor lets nobody in. The organization's audit log has an entry for it.
 *
 * It needs no secret. Like `npm run create-organization`, it writes a ticket into the server's D1.
 */
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { withLocalD1 } from './local-server.ts'
import { makeOwnerLink } from './organizations.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run owner-link -- --email EMAIL [--host HOST]
  --remote           in what \`npm run deploy\` put online, not at the local server
  --deployment NAME  the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL          where the deployed server answers, if not at https://HOST`

async function makeLocally(host: string, email: string): Promise<string> {
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running === undefined)
    throw new Error('Start the server first (`npm start`), since the link leads there.')
  const bundle = await buildWorker('local')
  const { port, origin } = new URL(running.url)
  const url = host === 'localhost' ? origin : `http://${host}:${port}`
  return makeOwnerLink({ url, host, email }, (sql) =>
    withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run()),
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', default: 'localhost' },
      email: { type: 'string' },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  const { host, email, remote, deployment, url = `https://${host}` } = values
  if (!email || (remote && host === 'localhost')) throw new Error(USAGE)
  const write = remoteD1(deployment)
  const link = remote
    ? await makeOwnerLink({ url: new URL(url).origin, host, email }, write)
    : await makeLocally(host, email)
  console.log(`This link logs the owner ${email} in once, within 15 minutes:\n  ${link}`)
}

if (import.meta.main) await main().catch(exitWithError)

/**
 * `npm run copy-backup -- NUMBER --host HOST --to NEW_HOST --email EMAIL` opens a backup as a copy to look at, at a host of its own, and prints
 * the link by which an owner enters it.
 *
 * It needs no secret. Like `npm run create-organization`, it writes tickets into the server's D1.
 */
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { withLocalD1 } from './local-server.ts'
import { copyBackup, makeOwnerLink } from './organizations.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run copy-backup -- NUMBER --to NEW_HOST --email EMAIL [--host HOST]
  NUMBER             the backup's, as GET /api/v1/backups lists it
  --to NEW_HOST      where the copy is to be; it must lead to the same server
  --email EMAIL      of the owner for whom a link is printed
  --remote           in what \`npm run deploy\` put online, not at the local server
  --deployment NAME  the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL          where the deployed server answers, if not at https://HOST`

interface Target {
  /** Address of the server, without a slash at the end. */
  readonly url: string
  /** Address of the copy. */
  readonly copyUrl: string
  write(sql: string): Promise<unknown>
}

async function localTarget(copyHost: string): Promise<Target> {
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running === undefined) throw new Error('Start the server first (`npm start`), since it makes the copy.')
  const bundle = await buildWorker('local')
  const { origin, port } = new URL(running.url)
  return {
    url: origin,
    copyUrl: `http://${copyHost}:${port}`,
    write: (sql) => withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run()),
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string', default: 'localhost' },
      to: { type: 'string' },
      email: { type: 'string' },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  const { host, to, email, remote, deployment, url = `https://${host}` } = values
  const backupId = Number(positionals[0])
  if (!to || !email || !Number.isInteger(backupId) || (remote && host === 'localhost')) throw new Error(USAGE)
  const target = remote
    ? { url: new URL(url).origin, copyUrl: `https://${to}`, write: remoteD1(deployment) }
    : await localTarget(to)
  const realmId = await copyBackup(target, { host, backupId, copyHost: to })
  const link = await makeOwnerLink({ url: target.copyUrl, host: to, email }, target.write)
  console.log(`Backup ${backupId} of ${host} opens as organization ${realmId}, at ${target.copyUrl}, in some minutes.
This link logs the owner ${email} in once, within 15 minutes (\`npm run owner-link\` makes others):
  ${link}`)
}

if (import.meta.main) await main().catch(exitWithError)

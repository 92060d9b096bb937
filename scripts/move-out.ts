/**
 * `npm run move-out -- --host HOST --to URL` closes an organization that moves to another server, has its last backup made, and writes the file
 * with which `npm run move-in` makes it there (docs/moving.md).
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { moveOut, stayHere } from './moving.ts'
import { operatedServer } from './operated-server.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, keepSecretsKey } from './state-folder.ts'

const USAGE = `Usage: npm run move-out -- --host HOST --to URL
  --to URL           where it will be, as people are told; https://HOST if only the name's address changes
  --into FILE        the file for the new server (moving.env). It has secrets
  --stay             opens it here again instead
  --remote           in what \`npm run deploy\` put online, not at the server of the state folder
  --deployment NAME  the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL          where the deployed server answers, if not at https://HOST
Environment: the server's BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY and SECRETS_KEY, as far as they are known; MOVE_TOKEN`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string' },
      to: { type: 'string' },
      into: { type: 'string', default: 'moving.env' },
      stay: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  const { host, to, stay, remote, deployment } = values
  if (!host || (!to && !stay)) throw new Error(USAGE)
  const server = await operatedServer({ remote, deployment, url: values.url ?? `https://${host}` })
  if (stay) return stayHere(server, host)
  const settings = {
    ...process.env,
    ...(remote || process.env.SECRETS_KEY ? {} : { SECRETS_KEY: keepSecretsKey(chosenStateDir()) }),
  }
  await moveOut(server, {
    host,
    to: to!,
    token: process.env.MOVE_TOKEN,
    settings,
    into: resolve(values.into),
  })
}

if (import.meta.main) await main().catch(exitWithError)

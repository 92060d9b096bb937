/**
 * `npm run move-in -- --host HOST --from FILE` makes an organization of its newest backup in another server's store (docs/moving.md). FILE:
 * what `npm run move-out` has written, or the other server's BACKUP_S3_URL, BACKUP_S3_ACCESS_KEY, BACKUP_S3_SECRET_KEY and SECRETS_KEY.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { moveIn } from './moving.ts'
import { operatedServer } from './operated-server.ts'
import { exitWithError } from './project.ts'

const USAGE = `Usage: npm run move-in -- --host HOST --from FILE
  --host HOST            where it will be: the same host as before, or another one
  --from FILE            what \`npm run move-out\` has written
  --organization NUMBER  its number, where the store has backups of several
  --remote               in what \`npm run deploy\` put online, not at the server of the state folder
  --deployment NAME      the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL              where the deployed server answers, if not at https://HOST`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string' },
      from: { type: 'string' },
      organization: { type: 'string' },
      remote: { type: 'boolean', default: false },
      deployment: { type: 'string', default: 'parley' },
      url: { type: 'string' },
    },
  })
  const { host, from, remote, deployment } = values
  const organization = values.organization === undefined ? undefined : Number(values.organization)
  if (!host || !from || Number.isNaN(organization)) throw new Error(USAGE)
  const server = await operatedServer({ remote, deployment, url: values.url ?? `https://${host}` })
  await moveIn(server, { host, from: resolve(from), organization })
}

if (import.meta.main) await main().catch(exitWithError)

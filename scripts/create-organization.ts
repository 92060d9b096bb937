/**
 * `npm run create-organization -- --name "Acme" --host acme.localhost --owner-email a@b.c --owner-name "Ann"`
 *
 * Makes an organization with its owner: in the local state folder, or with `--remote` in the deployment.
 * This needs no secret: the command writes a one-time ticket into the server's D1, and whoever can do that may make organizations.
 */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { startLocalServer, withLocalD1 } from './local-server.ts'
import type { CreatedOrganization, NewOrganization } from './organizations.ts'
import { createOrganization } from './organizations.ts'
import { exitWithError } from './project.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run create-organization -- --name NAME --host HOST --owner-email EMAIL --owner-name NAME
  --password PASSWORD   the owner's; without it one is made up and printed
  --location PLACE      where most of its people are: wnam, enam, sam, weur, eeur, apac, oc, afr or me; without it, where you are
  --jurisdiction NAME   eu, fedramp or us: nothing of it leaves the jurisdiction, where the deployment was made in it
  --remote              in what \`npm run deploy\` put online, not in the local state folder
  --deployment NAME     the one of \`npm run deploy -- --name NAME\`, with --remote
  --url URL             where the deployed server answers, if not at https://HOST`

interface Options {
  organization: NewOrganization
  remote: boolean
  deployment: string
  url: string
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      name: { type: 'string' },
      host: { type: 'string' },
      'owner-email': { type: 'string' },
      'owner-name': { type: 'string' },
      password: { type: 'string' },
      location: { type: 'string' },
      jurisdiction: { type: 'string' },
      deployment: { type: 'string', default: 'parley' },
      remote: { type: 'boolean', default: false },
      url: { type: 'string' },
    },
  })
  const { name, host, 'owner-email': email, 'owner-name': full_name } = values
  if (!name || !host || !email || !full_name) throw new Error(USAGE)
  const password = values.password ?? randomBytes(12).toString('base64url')
  return {
    organization: {
      name,
      host,
      owner: { email, full_name, password },
      ...(values.location ? { location: values.location } : {}),
      ...(values.jurisdiction ? { jurisdiction: values.jurisdiction } : {}),
    },
    remote: values.remote,
    deployment: values.deployment,
    url: (values.url ?? `https://${host}`).replace(/\/+$/, ''),
  }
}

/**
 * Uses the running server, or else starts one temporarily.
 * @returns also the port at which the organization is, or will be.
 */
async function createLocally(organization: NewOrganization): Promise<[CreatedOrganization, string]> {
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running !== undefined) {
    const bundle = await buildWorker('local')
    const writeTicket = (sql: string) =>
      withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run())
    return [await createOrganization(running.url, writeTicket, organization), new URL(running.url).port]
  }
  const server = await startLocalServer({ stateDir, vars: { LOG: 'troubles' } })
  try {
    const database = await server.runtime.getD1Database('DB')
    const writeTicket = (sql: string) => database.prepare(sql).run()
    return [await createOrganization(server.url, writeTicket, organization), process.env.PORT ?? '8787']
  } finally {
    await server.stop()
  }
}

async function createRemotely(
  { url, deployment }: Options,
  organization: NewOrganization,
): Promise<CreatedOrganization> {
  const writeTicket = remoteD1(deployment)
  return createOrganization(url, writeTicket, organization)
}

async function main(): Promise<void> {
  const options = readOptions()
  const { organization, remote } = options
  let address = `https://${organization.host}`
  let created: CreatedOrganization
  if (remote) {
    created = await createRemotely(options, organization)
  } else {
    const [locally, port] = await createLocally(organization)
    created = locally
    address = `http://${organization.host}:${port}`
  }
  console.log(`${organization.name} is organization ${created.realm_id}, at ${address}
  owner      ${organization.owner.full_name} <${created.email}>, user ${created.user_id}
  password   ${organization.owner.password}
  API key    ${created.api_key}`)
}

if (import.meta.main) await main().catch(exitWithError)

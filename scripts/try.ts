/**
 * `npm run try [-- --yes]`: puts Parley online for an hour, without an account: Cloudflare makes a temporary one. It has the demo organization.
 * Whoever opens the printed link to claim it, and logs in, keeps it: then `npm run deploy` goes on with the same data.
 *
 * `--url URL` is where the Worker answers, if not at its own address.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isAgreedTo } from './agreement.ts'
import { remoteD1 } from './cloudflare-account.ts'
import { demoArchive } from './demo-archive.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER } from './demo-organization.ts'
import { deploy } from './deploy.ts'
import { forAnHour, readConfig } from './deployment-config.ts'
import { type CreatedOrganization, createOrganization, organizationExists } from './organizations.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'
import { newSecretsKey } from './state-folder.ts'
import { makeTemporaryAccount, TERMS } from './temporary-account.ts'

/** Seconds until a new address is known everywhere, at most. */
const PATIENCE_SECONDS = 180

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { yes: { type: 'boolean', default: false }, url: { type: 'string' } },
  })
  const terms = `Cloudflare makes an account for an hour. You accept its terms (${TERMS.termsOfService}) and its privacy policy (${TERMS.privacyPolicy})`
  if (values.yes) console.log(`${terms}.`)
  else if (!(await isAgreedTo(`${terms}?`)))
    throw new Error('Nothing was made. `npm run try -- --yes` accepts them without a question.')
  console.log('Asking for an account, which takes some work of this machine …')
  const { account, claim } = await makeTemporaryAccount()
  process.env.CLOUDFLARE_API_TOKEN = account.apiToken
  process.env.CLOUDFLARE_ACCOUNT_ID = account.id
  const config = forAnHour(await readConfig())
  const host = await deploy(config, { webClient: undefined, jurisdiction: undefined, isAgreed: true })
  const url = values.url ?? `https://${host}`
  await untilReachable(url)
  const password = newSecretsKey().slice(0, 16)
  const organization = {
    ...{ name: DEMO_ORGANIZATION, host: hostOf(url) },
    owner: { ...DEMO_OWNER, password },
  }
  const created = await createOrganization(url, remoteD1(config.name), organization)
  await fill(url, created)
  console.log(`
Online until ${new Date(account.expiresAt).toLocaleTimeString()}:
  ${url}
  log in as ${DEMO_OWNER.email} with the password ${password}

To keep it, open this link before ${new Date(claim.expiresAt).toLocaleTimeString()}, and log in or sign up there. Whoever opens it owns all of this:
  ${claim.url}
Then go on with the same data:
  npx wrangler login
  npm run deploy`)
}

/** The organization's host; `localhost` stands for every loopback address. */
function hostOf(url: string): string {
  const { hostname } = new URL(url)
  return hostname === '127.0.0.1' ? 'localhost' : hostname
}

/** Waits until the Worker answers, whose name is new. */
async function untilReachable(url: string): Promise<void> {
  process.stdout.write('Waiting for the address to be known … ')
  for (let second = 0; second < PATIENCE_SECONDS; second += 1) {
    const isReached = await organizationExists(url).then(
      () => true,
      () => false,
    )
    if (isReached) return console.log('done')
    await setTimeout(1_000)
  }
  throw new Error(`${url} does not answer. What was deployed disappears by itself within the hour.`)
}

async function fill(url: string, owner: CreatedOrganization): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-demo-'))
  try {
    const archive = join(folder, 'harbour-books.jsonl')
    writeFileSync(archive, demoArchive(Math.floor(Date.now() / 1_000)))
    const mapping = join(folder, 'mapping.json')
    writeFileSync(mapping, JSON.stringify({ users: { 0: owner.user_id }, direct_messages: true }))
    await runProgram(
      join(PROJECT, 'scripts/import.ts'),
      [archive, '--remote', url, '--email', owner.email, '--mapping', mapping, '--yes'],
      { env: { PARLEY_API_KEY: owner.api_key } },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (import.meta.main) await main().catch(exitWithError)

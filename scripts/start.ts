/**
 * `npm start [-- --empty] [-- --port N] [-- --latency MS] [-- --web-client FOLDER]`: starts the server on this machine. The first start
 * makes the demo organization at `localhost`. With `--empty` it makes none, and prints a link to make one in the browser.
 * `npm run dev` (`--watch`) also restarts whenever the source changes.
 *
 * Environment: PORT (8787), STATE_DIR (`.parley/state`), BODY_DATABASES (the number of D1 databases for texts besides `DB`, by default 0),
 * BUCKETS (`off`: files are in D1, as in an account without R2),
 * and the settings of a deployment (docs/configuration.md). Three of these have other defaults here: RATE_LIMITS is `off`, LOG is
 * `troubles`, and EMAIL_DOMAIN is `mail.localhost`.
 */

import { constants } from 'node:os'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { MAX_BODY_DATABASES } from '../src/store/d1/body-databases.ts'
import { buildComponents } from './build-page.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER, DEMO_PASSWORD, fillDemoOrganization } from './demo-organization.ts'
import { readLatency } from './latency.ts'
import type { LocalServer, LocalServerOptions } from './local-server.ts'
import { requireFreePort, startLocalServer } from './local-server.ts'
import { requireOwnObjects } from './object-schemas.ts'
import { createOrganization, makeSetUpLink, organizationExists } from './organizations.ts'
import { exitWithError } from './project.ts'
import { restartOnChange } from './restart-on-change.ts'
import { settingsFrom } from './settings.ts'
import {
  chosenStateDir,
  findRunningServer,
  isMarkedReady,
  markDemo,
  markReady,
  readDemoMark,
} from './state-folder.ts'
import { buildAssets } from './web-client.ts'

/** The host name that stands for every loopback address. */
const HOST = 'localhost'

function readOptions() {
  const { values } = parseArgs({
    options: {
      empty: { type: 'boolean', default: false },
      port: { type: 'string' },
      watch: { type: 'boolean', default: false },
      latency: { type: 'string', default: '0' },
      'web-client': { type: 'string' },
    },
  })
  const port = Number(values.port ?? process.env.PORT ?? 8787)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error('The port must be a number from 1 to 65535, or 0 for a free one.')
  }
  const latency = readLatency(values.latency)
  return { empty: values.empty, latency, port, watch: values.watch, webClient: values['web-client'] }
}

/**
 * Makes the organization on a random port. Nothing listens on the right port until the organization is complete.
 */
async function prepare(options: LocalServerOptions & { stateDir: string }): Promise<void> {
  if (isMarkedReady(options.stateDir)) return
  await requireFreePort(options)
  const server = await startLocalServer({ ...options, port: 0 })
  try {
    await ensureOrganization(server)
    markReady(options.stateDir)
  } finally {
    await server.stop()
  }
}

async function ensureOrganization(server: LocalServer): Promise<void> {
  if (await organizationExists(server.url)) {
    if (readDemoMark(server.stateDir) === 'unfinished') {
      console.log(
        'The demo content is incomplete: its first start was interrupted. `npm run reset` starts over.',
      )
    }
    return
  }
  markDemo(server.stateDir, 'unfinished')
  const database = await server.runtime.getD1Database('DB')
  const created = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: DEMO_ORGANIZATION,
    host: HOST,
    owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
  })
  const began = performance.now()
  process.stdout.write('Filling the demo organization … ')
  const counts = await fillDemoOrganization(server.url, created)
  markDemo(server.stateDir, 'finished')
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${counts.users} users, ${counts.channels} channels, ${counts.messages} messages in ${seconds} s`,
  )
}

async function announce(server: LocalServer): Promise<void> {
  const schema = server.migrations.at(-1)?.replace(/\.sql$/, '') ?? 'no migrations yet'
  console.log(`
Parley listens at   ${server.url}
Mail is kept at     ${server.url}/dev/emails
State is kept in    ${relative(process.cwd(), server.stateDir) || '.'}   (D1 schema ${schema})
${(await howToBegin(server)).join('\n')}
Ctrl-C stops it; \`npm run reset\` deletes the state.
`)
}

async function howToBegin(server: LocalServer): Promise<string[]> {
  if (readDemoMark(server.stateDir) !== undefined) {
    return [
      'To begin            open the address in a browser and click a name',
      `Owner               ${DEMO_OWNER.email}, password ${DEMO_PASSWORD}`,
      `The owner's key     curl -s ${server.url}/api/v1/dev_fetch_api_key -d username=${DEMO_OWNER.email}`,
    ]
  }
  if (await organizationExists(server.url)) return []
  const database = await server.runtime.getD1Database('DB')
  const link = await makeSetUpLink(server.url, HOST, (sql) => database.prepare(sql).run())
  return [
    `Begin               ${link}`,
    '                    makes the organization and its owner: once, within a week',
  ]
}

function chosenBodyDatabases(): number {
  const count = Number(process.env.BODY_DATABASES ?? 0)
  if (Number.isInteger(count) && count >= 0 && count <= MAX_BODY_DATABASES) return count
  throw new Error(`BODY_DATABASES must be from 0 to ${MAX_BODY_DATABASES}.`)
}

async function main(): Promise<void> {
  const { empty, latency, port, watch: watching, webClient } = readOptions()
  const options = {
    port,
    bodyDatabases: chosenBodyDatabases(),
    hasBuckets: process.env.BUCKETS !== 'off',
    stateDir: chosenStateDir(),
    vars: {
      RATE_LIMITS: 'off',
      LOG: 'troubles',
      EMAIL_DOMAIN: 'mail.localhost',
      ...settingsFrom(process.env),
      ...(port > 0 ? { LOCAL_PORT: String(port) } : {}),
    },
  }
  if (!(await findRunningServer(options.stateDir))) requireOwnObjects(options.stateDir)
  const [page, components] = await Promise.all([
    buildAssets(webClient),
    buildComponents(),
    empty ? undefined : prepare(options),
  ])
  // The demo organization was made without the latency, which matters only to people who use it.
  const vars = { ...options.vars, ...(latency > 0 ? { LATENCY_MS: String(latency) } : {}) }
  const server = await startLocalServer({ ...options, vars, page: page.folder, components })
  await announce(server)
  if (watching) restartOnChange(server, { ...options, vars }, webClient)
}

// SIGHUP comes from a closed terminal. The signals of Ctrl-C and `kill` end the process without a handler.
process.on('SIGHUP', () => process.exit(128 + constants.signals.SIGHUP))
if (import.meta.main) await main().catch(exitWithError)

/**
 * `npm run seed -- --users N --channels N --messages N [--host H]`: a new organization of any size in the local
 * state folder, beside the running server if there is one, else with one that is started for the moment. The
 * same numbers give the same people, channels and messages.
 */
import { request } from 'node:http'
import { parseArgs } from 'node:util'
import { buildWorker } from './build.ts'
import { startLocalServer, withLocalD1 } from './local-server.ts'
import { createOrganization, readAnswer } from './organizations.ts'
import { exitWithError } from './project.ts'
import { type SeedSize, seededEmail, seedOrganization } from './seed-organization.ts'
import { chosenStateDir, findRunningServer } from './state-folder.ts'

const USAGE = `Usage: npm run seed -- --users N --channels N --messages N
  --host HOST   where the organization will answer, seeded.localhost unless told otherwise; it must be new`

const OWNER = {
  email: 'owner@example.com',
  full_name: 'Olive Owner',
  password: 'seeded for a look around',
}

function readOptions(): { size: SeedSize; host: string } {
  const { values } = parseArgs({
    options: {
      users: { type: 'string' },
      channels: { type: 'string' },
      messages: { type: 'string' },
      host: { type: 'string', default: 'seeded.localhost' },
    },
  })
  const numberOf = (text: string | undefined, least: number) => {
    const number = Number(text)
    if (text === undefined || !Number.isInteger(number) || number < least) throw new Error(USAGE)
    return number
  }
  const size = {
    users: numberOf(values.users, 1),
    channels: numberOf(values.channels, 0),
    messages: numberOf(values.messages, 0),
  }
  return { size, host: values.host }
}

async function main(): Promise<void> {
  const { size, host } = readOptions()
  const stateDir = chosenStateDir()
  const running = await findRunningServer(stateDir)
  if (running) {
    const bundle = await buildWorker('local')
    const writeTicket = (sql: string) =>
      withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run())
    return seed(running.url, writeTicket, size, host, new URL(running.url).port)
  }
  const server = await startLocalServer({ stateDir })
  try {
    const database = await server.runtime.getD1Database('DB')
    const writeTicket = (sql: string) => database.prepare(sql).run()
    await seed(server.url, writeTicket, size, host, process.env.PORT ?? '8787')
  } finally {
    await server.stop()
  }
}

/** @param port where the organization will be found, which a server of the moment does not have. */
async function seed(
  serverUrl: string,
  writeTicket: (sql: string) => Promise<unknown>,
  size: SeedSize,
  host: string,
  port: string,
): Promise<void> {
  const owner = await createOrganization(serverUrl, writeTicket, { name: 'Seeded', host, owner: OWNER })
  const post = (body: object) => postTo(`${serverUrl}/dev/seed`, host, body)
  const began = performance.now()
  let stage: string | undefined
  let since = began
  await seedOrganization(post, owner.user_id, size, (at) => {
    if (at.stage === stage) return
    if (stage !== undefined) console.log(`${stage.padEnd(10)} ${seconds(since)}`)
    stage = at.stage
    since = performance.now()
  })
  console.log(`${size.users} users, ${size.channels} channels, ${size.messages} messages in ${seconds(began)}

http://${host}:${port}
  owner      ${OWNER.full_name} <${OWNER.email}>, password "${OWNER.password}", API key ${owner.api_key}
  people     ${seededEmail(0)} and so on; POST /api/v1/dev_fetch_api_key gives anybody's key`)
}

/** Not every machine knows names under `localhost`, and `fetch` chooses the header Host by itself. */
function postTo(url: string, host: string, body: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', headers, agent: false }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve(readAnswer(new Response(text, { status: response.statusCode ?? 500 })))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`
}

if (import.meta.main) await main().catch(exitWithError)

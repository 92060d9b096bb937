/**
 * `node bench/own-machine.ts --users 5000 --messages 100000 --held 100,1000,5000`: what `npm run serve` needs with an organization of that size:
 * disk, time of the start, and memory while that number of people wait with a poll; and how long a message takes to reach all of them.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { encodeFields } from '../scripts/api-client.ts'
import { startLocalServer } from '../scripts/local-server.ts'
import { exitWithError, PROJECT } from '../scripts/project.ts'
import { seededEmail } from '../scripts/seed-organization.ts'
import { findRunningServer } from '../scripts/state-folder.ts'
import { type OpenQueue, poll, registerAll } from './fan-out.ts'
import { Connections } from './http-load.ts'
import { buildLarge } from './large.ts'
import { middle } from './middle.ts'

const PORT = '18787'
/** Messages whose way to all who wait is measured. */
const DELIVERIES = 5
/** Milliseconds that the server has to come to rest. */
const REST_MS = 4_000

type Authorization = Record<string, string>

interface Made {
  readonly owner: Authorization
  readonly people: readonly { readonly id: number; readonly authorization: Authorization }[]
  readonly channel: number
}

async function make(stateDir: string, users: number, messages: number): Promise<Made> {
  const server = await startLocalServer({ stateDir, vars: { RATE_LIMITS: 'off', LOG: 'troubles' } })
  try {
    const { owner, seeded, seedSeconds } = await buildLarge(server, { users, channels: 20, messages })
    console.log(`${users} people and ${messages} messages, made in ${Math.round(seedSeconds)} s`)
    const people: { id: number; authorization: Authorization }[] = []
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let at = lane; at < users; at += 8) {
        const one = await owner.logIn(seededEmail(at))
        people.push({ id: seeded.firstUserId + at, authorization: one.authorization() })
      }
    })
    await Promise.all(lanes)
    return { owner: owner.authorization(), people, channel: seeded.firstChannelId }
  } finally {
    await server.stop()
  }
}

function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1_000)
}

function sizeMb(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
  return Math.round(bytes / 1e6)
}

async function measure(stateDir: string, made: Made, held: readonly number[]): Promise<void> {
  console.log(`disk ${sizeMb(stateDir)} MB`)
  const child = spawn(process.execPath, [join(PROJECT, 'scripts/serve.ts')], {
    env: { ...process.env, STATE_DIR: stateDir, PORT, RATE_LIMITS: 'off', LOG: 'troubles' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve) => {
    child.stdout.on('data', (text: Buffer) => String(text).includes('listens') && resolve(String(text)))
  })
  console.log(said.trim())
  const { runtimePid, pid } = (await findRunningServer(stateDir))!
  const url = `http://127.0.0.1:${PORT}`
  const connections = new Connections()
  const began = performance.now()
  await connections.ask({ method: 'GET', url: `${url}/api/v1/users/me`, headers: made.owner })
  console.log(`first answer ${Math.round(performance.now() - began)} ms`)
  const say = (who: string) =>
    console.log(`${who}: workerd ${residentMb(runtimePid)} MB, its parent ${residentMb(pid)} MB`)
  say('nobody')
  const queues: OpenQueue[] = []
  for (const count of held) {
    const more = made.people.slice(queues.length, count)
    const registering = performance.now()
    queues.push(...(await registerAll(connections, url, more)))
    const registered = Math.round(performance.now() - registering)
    const times: number[] = []
    let waiting = queues.map((queue) => poll(connections, url, queue))
    await setTimeout(REST_MS)
    say(`${count} waiting, registered in ${registered} ms`)
    for (let at = 0; at < DELIVERIES; at += 1) {
      const sent = performance.now()
      const form = encodeFields({
        type: 'channel',
        to: made.channel,
        topic: 'limits',
        content: `to all ${at}`,
      })
      await connections.ask({ method: 'POST', url: `${url}/api/v1/messages`, form, headers: made.owner })
      await Promise.all(waiting)
      times.push(performance.now() - sent)
      waiting = queues.map((queue) => poll(connections, url, queue))
      await setTimeout(1_000)
    }
    say(`${count} waiting, a message is with all after ${Math.round(middle(times))} ms`)
    // Another message ends the polls of this step.
    const form = encodeFields({ type: 'channel', to: made.channel, topic: 'limits', content: 'the last one' })
    await connections.ask({ method: 'POST', url: `${url}/api/v1/messages`, form, headers: made.owner })
    await Promise.all(waiting)
  }
  connections.close()
  child.kill('SIGTERM')
  await new Promise((resolve) => child.once('exit', resolve))
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '5000' },
      messages: { type: 'string', default: '100000' },
      held: { type: 'string', default: '100,1000,5000' },
    },
  })
  const stateDir = mkdtempSync(join(tmpdir(), 'parley-limits-'))
  try {
    const made = await make(stateDir, Number(values.users), Number(values.messages))
    await measure(stateDir, made, values.held.split(',').map(Number))
  } finally {
    rmSync(stateDir, { recursive: true })
  }
}

if (import.meta.main) await main().catch(exitWithError)

import { runDurableObjectAlarm } from 'cloudflare:test'
import { expect } from 'vitest'
import { askWorker, realmStub } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { readTar } from './read-tar.ts'
import { world } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the JSON it expects
type Json = any

/** Sets the clock ahead, so that no alarm of the platform's own runs the job: the test does. */
export function keepAlarmsAway(): void {
  world.clockOffset = 10_000
}

/** Starts an export; answers its id. */
export async function startExport(user: TestUser, params = {}): Promise<number> {
  return expectSuccess(await user.api.post('/export/realm', params)).id
}

/** The export as it is listed. */
export async function listedExport(user: TestUser, id: number): Promise<Json> {
  const { exports } = expectSuccess(await user.api.get('/export/realm'))
  return exports.find((one: Json) => one.id === id)
}

/** Lets due work be done, a little later every time, until nothing of this export is left to do. */
async function runJobs({ id }: TestRealm, isDone: () => Promise<boolean>): Promise<void> {
  for (let run = 0; run < 100; run += 1) {
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(id))
    if (await isDone()) return
  }
  throw new Error('The export does not end')
}

/** The finished export, with its archive as whoever has the address gets it. */
export async function finishExport(of: TestRealm, id: number) {
  await runJobs(of, async () => !(await listedExport(of.owner, id)).pending)
  const { export_url } = await listedExport(of.owner, id)
  const response = await askWorker(new Request(export_url))
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const files = readTar(bytes)
  const json = (name: string): Json =>
    JSON.parse(new TextDecoder().decode(files.get(`export/${name}`)!.bytes))
  /** All files of a folder together. */
  const all = (folder: string, key: string): Json[] =>
    [...files.keys()]
      .filter((name) => name.startsWith(`export/${folder}/`))
      .flatMap((name) => json(name.slice('export/'.length))[key])
  return { url: export_url as string, response, bytes, files, json, all }
}

/** The bytes as they are. */
export const textOf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
export const digestOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  textOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
export const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id)

import { runDurableObjectAlarm } from 'cloudflare:test'
import { expect } from 'vitest'
import { askWorker, realmStub } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import { fromJson, type Json } from './json.ts'
import { readTar } from './read-tar.ts'
import { world } from './world.ts'

/** Sets the clock ahead, so that the test runs the job before any alarm of the platform does. */
export function keepAlarmsAway(): void {
  world.clockOffset = 10_000
}

/** Starts an export; returns its id. */
export async function startExport(user: TestUser, params = {}): Promise<number> {
  return expectSuccess(await user.api.post('/export/realm', params)).id
}

/** Returns the export as the API lists it. */
export async function listedExport(user: TestUser, id: number): Promise<Json> {
  const { exports } = expectSuccess(await user.api.get('/export/realm'))
  return exports.find((one: Json) => one.id === id)
}

/** Runs due jobs, a little later each time, until the export is finished. */
async function runJobs({ id }: TestRealm, isDone: () => Promise<boolean>): Promise<void> {
  for (let run = 0; run < 100; run += 1) {
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(id))
    if (await isDone()) return
  }
  throw new Error('The export does not end')
}

/** Finishes the export, and downloads its archive from its URL. */
export async function finishExport(of: TestRealm, id: number) {
  await runJobs(of, async () => !(await listedExport(of.owner, id)).pending)
  const { export_url } = await listedExport(of.owner, id)
  const response = await askWorker(new Request(export_url))
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const files = readTar(bytes)
  const text = (name: string) => new TextDecoder().decode(files.get(name)!.bytes)
  const records: Json[] = [...files.keys()]
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => text(name).split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => fromJson(line))
  /** Returns all records of a type. */
  const all = (type: string): Json[] => records.filter((record) => record.type === type)
  return { url: export_url as string, response, bytes, files, all }
}

/** Returns the bytes as Latin-1 text, one character each. */
export const textOf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)
export const digestOf = async (bytes: Uint8Array<ArrayBuffer>) =>
  textOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
/** Returns the ids of records as numbers. */
export const messageIds = (records: readonly Json[]): number[] => records.map(({ id }) => Number(id))

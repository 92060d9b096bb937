import { runDurableObjectAlarm } from 'cloudflare:test'
import { realmStub } from './api.ts'
import { expectSuccess, type TestRealm, type TestUser } from './factories.ts'
import type { Json } from './json.ts'
import { upload } from './uploads.ts'
import { world } from './world.ts'

export type Line = Readonly<Record<string, unknown>>

/** The first line of an archive. */
export const headOf = (source: string): Line => ({ type: 'parley-import', version: 1, source })

/** Returns an archive of the neutral form. Lines that are strings are added as they are. */
export function archiveOf(lines: readonly (Line | string)[]): string {
  return lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
}

/** Uploads an archive, and begins to import it; returns the id. */
export async function beginImport(user: TestUser, archive: string): Promise<number> {
  const path = await upload(user, { name: 'import.jsonl', type: 'application/jsonl', content: archive })
  return expectSuccess(await user.api.post('/imports', { path_id: path.replace('/user_uploads/', '') })).id
}

export async function importWithId({ owner }: TestRealm, id: number): Promise<Json> {
  const { imports } = expectSuccess(await owner.api.get('/imports'))
  return imports.find((one: Json) => one.id === id)
}

/** Runs due jobs until the import has this state. */
export async function runUntil(realm: TestRealm, id: number, state: string): Promise<Json> {
  let last: Json
  for (let run = 0; run < 100; run += 1) {
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(realm.id))
    last = await importWithId(realm, id)
    if (last.state === state) return last
  }
  throw new Error(`The import does not come to be ${state}: ${JSON.stringify(last)}`)
}

/** Imports an archive with the decisions of an owner. */
export async function importArchive(
  realm: TestRealm,
  lines: readonly (Line | string)[],
  mapping: Record<string, unknown> = {},
  more: Record<string, boolean> = {},
): Promise<Json> {
  const id = await beginImport(realm.owner, archiveOf(lines))
  await runUntil(realm, id, 'waiting')
  await runImport(realm, id, mapping, more)
  return runUntil(realm, id, 'finished')
}

/** Lets a waiting import write. */
export async function runImport(
  { owner }: TestRealm,
  id: number,
  mapping: Record<string, unknown> = {},
  more: Record<string, boolean> = {},
): Promise<void> {
  expectSuccess(await owner.api.patch(`/imports/${id}`, { mapping, ...more, action: 'run' }))
}

/** Imports an archive of a source that was imported before. */
export async function importAgain(
  realm: TestRealm,
  lines: readonly (Line | string)[],
  mapping: Record<string, unknown> = {},
): Promise<Json> {
  return importArchive(realm, lines, mapping, { known_source: true })
}

export function countOf(counts: readonly { name: string; count: number }[], name: string): number {
  return counts.find((one) => one.name === name)?.count ?? 0
}

/** Returns messages that a user may read, by rising id: those that came to them, or those of a narrow. */
export async function messagesOf(user: TestUser, narrow: Json[] = []): Promise<Json[]> {
  const params = { anchor: 'oldest', num_before: 0, num_after: 1_000, narrow, apply_markdown: false }
  return expectSuccess(await user.api.get('/messages', params)).messages
}

/** Returns an account with this name, as owners see it. */
export async function importedPerson({ owner }: TestRealm, name: string): Promise<Json> {
  const { members } = expectSuccess(await owner.api.get('/users'))
  return members.find((one: Json) => one.full_name === name)
}

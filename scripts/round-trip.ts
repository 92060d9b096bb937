/**
 * `npm run round-trip [-- --users N --channels N --messages N]`: shows that an archive loses nothing. It makes the demo
 * organization, or a seeded one of that size, exports it, imports the archive into an organization that has only its owner, exports that,
 * and compares the digests of both archives. Ends with exit code 1 if they differ, or if `npm run verify` finds anything.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ApiClient } from './api-client.ts'
import type { ArchiveDigest } from './archive-digest.ts'
import { DEMO_ORGANIZATION, DEMO_OWNER, DEMO_PASSWORD, fillDemoOrganization } from './demo-organization.ts'
import { digestOfFile } from './digest.ts'
import { sizeInWords } from './import-words.ts'
import { type LocalServer, startLocalServer } from './local-server.ts'
import { type CreatedOrganization, createOrganization } from './organizations.ts'
import { exitWithError, PROJECT, runProgram } from './project.ts'
import { postTo, type SeedSize, seedOrganization } from './seed-organization.ts'
import { countFindings } from './verify.ts'

const USAGE = `Usage: npm run round-trip                                        # the demo organization
       npm run round-trip -- --users N --channels N --messages N  # a seeded one of this size`

/** The host of a local server. */
const HOST = 'localhost'
/** The export without consent, which has everything. */
const FULL = 'full_without_consent'
/** Milliseconds between two looks at an export. */
const LOOK_MS = 500

/** The result of a round trip. */
interface RoundTrip {
  readonly before: ArchiveDigest
  readonly after: ArchiveDigest
  /** The differences between the stores of the organization with the import. */
  readonly findings: number
}

/** @param note is called at each step. */
export async function roundTripOf(
  size: SeedSize | undefined,
  note: (line: string) => void = () => {},
): Promise<RoundTrip> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-round-trip-'))
  try {
    const before = join(folder, 'before.tar')
    const after = join(folder, 'after.tar')
    await atServer(async (server, owner) => {
      await timed(note, 'made', () => fill(server, owner, size))
      await timed(note, 'exported', () => exportTo(server, owner, before))
    })
    note(`the archive has ${sizeInWords(statSync(before).size)}`)
    const findings = await atServer(async (server, owner) => {
      await timed(note, 'imported', () => importFrom(server, owner, before, folder))
      const found = await timed(note, 'verified', () => verified(server))
      await timed(note, 'exported again', () => exportTo(server, owner, after))
      return found
    })
    return { before: await digestOfFile(before), after: await digestOfFile(after), findings }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Starts a server with an organization that has only its owner. */
async function atServer<Result>(
  work: (server: LocalServer, owner: CreatedOrganization) => Promise<Result>,
): Promise<Result> {
  const server = await startLocalServer({
    vars: { RATE_LIMITS: 'off', LOG: 'troubles', OWNER_FULL_CONTENT_ACCESS: HOST },
  })
  try {
    const database = await server.runtime.getD1Database('DB')
    const owner = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
      name: DEMO_ORGANIZATION,
      host: HOST,
      owner: { ...DEMO_OWNER, password: DEMO_PASSWORD },
    })
    return await work(server, owner)
  } finally {
    await server.stop()
  }
}

async function timed<Result>(
  note: (line: string) => void,
  what: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now()
  const result = await work()
  note(`${what} in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
  return result
}

async function fill(
  { url }: LocalServer,
  owner: CreatedOrganization,
  size: SeedSize | undefined,
): Promise<void> {
  if (size) await seedOrganization(postTo(`${url}/dev/seed`, HOST), owner.user_id, size)
  else await fillDemoOrganization(url, owner)
}

async function exportTo(server: LocalServer, owner: CreatedOrganization, path: string): Promise<void> {
  const client = new ApiClient(server.url, owner)
  const { id } = await client.call<{ id: number }>('POST', '/export/realm', { export_type: FULL })
  for (;;) {
    const { exports } = await client.call<{ exports: ShownExport[] }>('GET', '/export/realm')
    const made = exports.find((one) => one.id === id)!
    if (made.failed_timestamp) throw new Error('The export failed.')
    if (made.export_url) return load(new URL(new URL(made.export_url).pathname, server.url), path)
    await setTimeout(LOOK_MS)
  }
}

interface ShownExport {
  readonly id: number
  readonly export_url: string | null
  readonly failed_timestamp: number | null
}

async function load(url: URL, path: string): Promise<void> {
  const response = await fetch(url)
  if (!response.ok || !response.body) throw new Error(`The archive cannot be loaded (${response.status}).`)
  await writeFile(path, response.body as AsyncIterable<Uint8Array>)
}

/** Imports with the command, as an owner who moves an organization does. */
async function importFrom(
  { url }: LocalServer,
  owner: CreatedOrganization,
  archive: string,
  folder: string,
): Promise<void> {
  const mapping = join(folder, 'mapping.json')
  await writeFile(mapping, JSON.stringify({ settings: true }))
  const options = ['--yes', '--mapping', mapping, '--remote', url, '--email', owner.email]
  await runProgram(join(PROJECT, 'scripts/import.ts'), [archive, ...options], {
    env: { PARLEY_API_KEY: owner.api_key },
  })
}

async function verified(server: LocalServer): Promise<number> {
  const database = await server.runtime.getD1Database('DB')
  return countFindings(server.url, (sql) => database.prepare(sql).run(), HOST)
}

function sizeFrom(values: Readonly<Record<string, string | undefined>>): SeedSize | undefined {
  const given = ['users', 'channels', 'messages'].map((name) => values[name])
  if (given.every((value) => value === undefined)) return undefined
  const [users = 0, channels = 0, messages = 0] = given.map(Number)
  if (![users, channels, messages].every((count) => Number.isInteger(count) && count > 0))
    throw new Error(USAGE)
  return { users, channels, messages }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { users: { type: 'string' }, channels: { type: 'string' }, messages: { type: 'string' } },
  })
  const { before, after, findings } = await roundTripOf(sizeFrom(values), console.log)
  for (const [at, { name, count, digest }] of before.sections.entries()) {
    const isSame = after.sections[at]?.digest === digest
    console.log(`${name.padEnd(22)} ${String(count).padStart(9)}  ${digest}${isSame ? '' : '  differs'}`)
  }
  const isSame = before.whole === after.whole
  console.log(`${isSame ? 'The same' : 'Different'}: ${before.whole}, ${after.whole}`)
  if (!isSame || findings > 0) process.exitCode = 1
}

if (import.meta.main) await main().catch(exitWithError)

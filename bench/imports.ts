/**
 * `npm run bench -- --import`: measures the cost of reading an archive of each format, with its records checked and written as lines as in an
 * import, and of writing them. Times are processor time, and memory is what is retained.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ApiClient } from '../scripts/api-client.ts'
import type { LocalServer } from '../scripts/local-server.ts'
import { createOrganization, readAnswer } from '../scripts/organizations.ts'
import type { ImportArchive, ImportContext, ImportUnit } from '../src/imports/import-reader.ts'
import { findReaderOf } from '../src/imports/index.ts'
import { takeRecord } from '../src/imports/neutral.ts'
import type { BareServer } from './bare/start-bare.ts'
import { BENCH_FORMATS } from './import-archives.ts'
import { processorMs } from './processor-time.ts'
import { table } from './tables.ts'

/** The number of messages between two measurements of the memory. */
const LOOK = 20_000
const MEBIBYTE = 1024 * 1024

export interface ReadingCost {
  readonly format: string
  readonly messages: number
  readonly archiveMiB: number
  /** Messages in a second of processor time. */
  readonly perSecond: number
  /** The most that was held at any time, without what was there before. */
  readonly heldMiB: number
}

/** `sizes`: the numbers of messages of the archives of each format. */
export async function measureReading(
  sizes: readonly number[],
  formats: readonly string[],
): Promise<ReadingCost[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-import-'))
  const found: ReadingCost[] = []
  try {
    for (const format of BENCH_FORMATS) {
      if (formats.length > 0 && !formats.includes(format.name)) continue
      for (const messages of sizes) {
        const path = join(folder, format.name.replace(' ', '-'))
        format.write(path, messages)
        found.push({ format: format.name, ...(await read(path, messages)) })
        rmSync(path)
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return found
}

async function read(path: string, messages: number): Promise<Omit<ReadingCost, 'format'>> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const file = await open(path)
  const { size } = await file.stat()
  const archive: ImportArchive = {
    name: path,
    size,
    async read(from, to) {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
      return bytes.subarray(0, bytesRead)
    },
  }
  const reader = (await findReaderOf(archive))!
  const units: ImportUnit[] = []
  const context = { ...contextInDatabase(), add: (unit: ImportUnit) => void units.push(unit) }
  const before = held()
  let [most, looking, count, length] = [before, 0, 0, 0]
  const began = process.cpuUsage()
  for await (const unit of reader.units(archive)) units.push(unit)
  for (const unit of units) {
    for await (const value of reader.read(archive, unit, context)) {
      const taken = takeRecord(value)
      if (!('record' in taken) || taken.record.type !== 'message') continue
      length += JSON.stringify(taken.record).length
      count += 1
      if (count % LOOK !== 0) continue
      const now = process.cpuUsage()
      most = Math.max(most, held())
      looking += microseconds(process.cpuUsage(now))
    }
  }
  const spent = microseconds(process.cpuUsage(began)) - looking
  await file.close()
  if (count < messages || length === 0) throw new Error(`${count} of ${messages} messages were read`)
  return {
    messages: count,
    archiveMiB: size / MEBIBYTE,
    perSecond: Math.round((count / spent) * 1e6),
    heldMiB: (most - before) / MEBIBYTE,
  }
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

/** The reader's state is in a database, as in an import. */
function contextInDatabase(): Omit<ImportContext, 'add'> {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const find = database.prepare('SELECT value FROM note WHERE key = ?')
  const write = database.prepare('INSERT OR REPLACE INTO note (key, value) VALUES (?, ?)')
  return {
    state: {},
    store: {
      get: async (key) => (find.get(key) as { value: string } | undefined)?.value,
      put: async (key, value) => {
        write.run(key, value)
      },
    },
  }
}

export function printReading(rows: readonly ReadingCost[]): void {
  table(
    'Reading archives of other programs',
    ['format', 'messages', 'archive, MiB', 'messages a second of processor time', 'held, MiB'],
    rows.map((row) => [
      row.format,
      String(row.messages),
      row.archiveMiB.toFixed(1),
      String(row.perSecond),
      row.heldMiB.toFixed(1),
    ]),
  )
}

export interface WritingCost {
  readonly messages: number
  /** Messages in a second of the runtime's processor time, Worker, object and D1 together, and of the clock. */
  readonly perSecond: number
  readonly perSecondOfClock: number
  /** The same of the bare platform, which writes the same rows and looks nothing up: without and with HTML that a Markdown library makes. */
  readonly bare: { readonly rows: number; readonly rendered: number }
}

type WrittenBare = WritingCost['bare']

/** Lines of a request to the bare platform. */
const LINES_AT_ONCE = 1_000

/** Makes the bare platform write the messages of an archive of the neutral form. */
async function measureBareWriting(bare: BareServer, messages: number): Promise<WrittenBare> {
  const lines = neutralArchive(messages)
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('{"type":"message"'))
  const write = async (kind: keyof WrittenBare): Promise<number> => {
    const before = processorMs(bare.pid)
    for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
      const body = lines.slice(at, at + LINES_AT_ONCE).join('\n')
      const response = await fetch(`${bare.importingUrl}/${kind}`, { method: 'POST', body })
      if (!response.ok) throw new Error(await response.text())
    }
    return Math.round((messages / (processorMs(bare.pid) - before)) * 1_000)
  }
  return { rows: await write('rows'), rendered: await write('rendered') }
}

/** Imports an archive of the neutral form into an empty organization, and measures the writing. */
export async function measureWriting(
  server: LocalServer,
  bare: BareServer,
  messages: number,
): Promise<WritingCost> {
  const database = await server.runtime.getD1Database('DB')
  const account = await createOrganization(server.url, (sql) => database.prepare(sql).run(), {
    name: 'Imported',
    host: 'localhost',
    owner: { email: 'owner@example.com', full_name: 'The Owner', password: 'measured words' },
  })
  const owner = new ApiClient(server.url, account)
  const id = await beginNeutral(owner, messages)
  const [before, began] = [processorMs(server.runtimePid()), performance.now()]
  await owner.call('PATCH', `/imports/${id}`, { action: 'run' })
  await untilState(owner, id, 'finished')
  const [spent, took] = [processorMs(server.runtimePid()) - before, performance.now() - began]
  return {
    messages,
    perSecond: Math.round((messages / spent) * 1_000),
    perSecondOfClock: Math.round((messages / took) * 1_000),
    bare: await measureBareWriting(bare, messages),
  }
}

/** Starts an import of an archive of the neutral form, and returns its id once it waits to be written. */
export async function beginNeutral(owner: ApiClient, messages: number): Promise<number> {
  const path = await uploadNeutral(owner, messages)
  const { id } = await owner.call<{ id: number }>('POST', '/imports', { path_id: path })
  await untilState(owner, id, 'waiting')
  return id
}

function neutralArchive(messages: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'parley-import-'))
  try {
    const path = join(folder, 'import.jsonl')
    BENCH_FORMATS.find(({ name }) => name === 'neutral')!.write(path, messages)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function uploadNeutral(owner: ApiClient, messages: number): Promise<string> {
  const body = new FormData()
  body.set('file', new File([new Uint8Array(neutralArchive(messages))], 'import.jsonl'))
  const response = await fetch(`${owner.url}/api/v1/user_uploads`, {
    method: 'POST',
    headers: owner.authorization(),
    body,
  })
  const { url } = (await readAnswer(response)) as { url: string }
  return url.replace('/user_uploads/', '')
}

/** Requests that may fail one after another: the local runtime resets connections of a busy machine. */
const FAILURES = 20

export async function untilState(owner: ApiClient, id: number, state: string): Promise<void> {
  for (let failures = 0; ; ) {
    const { imports } = await owner
      .call<{ imports: { id: number; state: string; failure: string | null }[] }>('GET', '/imports')
      .catch((error: unknown) => {
        failures += 1
        if (failures === FAILURES) throw error
        return { imports: undefined }
      })
    if (imports) failures = 0
    const found = imports?.find((one) => one.id === id)
    if (found?.state === state) return
    if (found?.state === 'failed') throw new Error(found.failure ?? 'The import failed')
    await setTimeout(500)
  }
}

export function printWriting({ messages, perSecond, perSecondOfClock, bare }: WritingCost): void {
  const of = (rate: number) => `${rate} (${(perSecond / rate).toFixed(2)})`
  table(
    'Writing an import into an organization',
    [
      'messages',
      'messages a second of processor time',
      'of the clock',
      'bare platform, rows alone (ratio)',
      'bare, with Markdown (ratio)',
    ],
    [[String(messages), String(perSecond), String(perSecondOfClock), of(bare.rows), of(bare.rendered)]],
  )
}

/**
 * `npm run import -- FILE` moves an archive of another chat into an organization: it uploads the archive, waits for the report and prints it,
 * asks, and imports. After an interruption, the same command resumes. docs/import.md describes the archives.
 */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isAgreedTo } from './agreement.ts'
import { ApiClient, type ParameterValue } from './api-client.ts'
import { DEMO_OWNER } from './demo-organization.ts'
import { uploadArchive } from './import-upload.ts'
import {
  outcomeInWords,
  problemsInWords,
  progressInWords,
  reportInWords,
  type ShownImport,
  type ShownProblem,
  sizeInWords,
} from './import-words.ts'
import { fromJson } from './json.ts'
import { exitWithError } from './project.ts'

const USAGE = `Usage: npm run import -- FILE
  --host HOST       into the organization of this name at the local server, in place of the demo organization
  --remote URL      into the organization at this address, in place of one of \`npm start\`
  --email EMAIL     the address of an owner of it; at the local server by default its first one
  --key KEY         with --remote: the owner's API key; or set PARLEY_API_KEY, which leaves no trace in the shell's history
  --mapping FILE    decisions, as JSON: {"users": {"U123": 7}, "private_channels": false} (docs/import.md)
  --choices FILE    writes what can be decided, with the ids there and here, and imports nothing
  --another         says that the archive is from another place than what was imported from one of this name
  --yes             imports without a question
In place of FILE:
  --pause, --cancel of the import under way; --undo of the last one`

/** Milliseconds between two polls of the import. */
const LOOK_MS = 1_000
/** Polls in a row without an answer after which the command gives up. */
const MISSED_LOOKS = 120
const UNREACHED = 'The server cannot be reached. Run the same command again to continue.'
const AT_WORK = ['reading', 'checking', 'writing', 'ending', 'undoing']
const ACTIONS = ['pause', 'cancel', 'undo'] as const
type Action = (typeof ACTIONS)[number]

interface Options {
  readonly file: string
  readonly mapping: object | undefined
  /** The file for what can be decided, in place of an import. */
  readonly choices: string | undefined
  /** Whether the archive is from another place than an earlier import from one of this name. */
  readonly isAnother: boolean
  readonly isAgreed: boolean
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      host: { type: 'string' },
      remote: { type: 'string' },
      email: { type: 'string' },
      key: { type: 'string' },
      mapping: { type: 'string' },
      choices: { type: 'string' },
      another: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      pause: { type: 'boolean', default: false },
      cancel: { type: 'boolean', default: false },
      undo: { type: 'boolean', default: false },
    },
  })
  const [file] = positionals
  const [action, ...more] = ACTIONS.filter((name) => values[name])
  if (action !== undefined && file === undefined && more.length === 0) {
    await act(await clientOf(values), action)
    return
  }
  if (file === undefined || positionals.length > 1 || action !== undefined) throw new Error(USAGE)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${file}.`)
  const mapping = values.mapping === undefined ? undefined : decisionsIn(values.mapping)
  const client = await clientOf(values)
  process.on('SIGINT', () => {
    console.log(
      '\nStopped. Run the same command again to continue. The server finishes the step that it has begun.',
    )
    process.exit(130)
  })
  const { choices, another: isAnother, yes: isAgreed } = values
  await importFile(client, { file, mapping, choices, isAnother, isAgreed })
}

function decisionsIn(path: string): object {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`There is no file ${path}.`)
  try {
    return fromJson(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`The decisions in ${path} are not JSON: ${(error as Error).message}`)
  }
}

/** Pauses or cancels the import under way, or undoes the last one, and says how that ended. */
async function act(client: ApiClient, action: Action): Promise<void> {
  const { imports } = await client.call<{ imports: ShownImport[] }>('GET', '/imports')
  const isUnderWay = ({ state }: ShownImport) => AT_WORK.includes(state) || state === 'waiting'
  // One that has changed nothing is in nobody's way.
  const isThere = ({ state, report }: ShownImport) => state !== 'undone' && report.written.length > 0
  const meant = imports.find((one) =>
    action === 'undo' ? !isUnderWay(one) && isThere(one) : isUnderWay(one),
  )
  if (!meant) throw new Error(action === 'undo' ? 'No import could be undone.' : 'No import is under way.')
  await client.call('PATCH', `/imports/${meant.id}`, { action })
  if (action === 'pause') {
    console.log(`Paused: ${meant.name}. Run the command that started it to continue.`)
    return
  }
  const ended = await watch(client, meant.id)
  if (ended.undo_refusal) throw new Error(ended.undo_refusal)
  console.log(`${meant.name}: ${ended.state}`)
}

async function clientOf(values: {
  readonly host?: string | undefined
  readonly remote?: string | undefined
  readonly email?: string | undefined
  readonly key?: string | undefined
}): Promise<ApiClient> {
  if (values.remote === undefined) return localClient(values)
  if (values.host !== undefined) throw new Error(USAGE)
  const key = values.key ?? process.env.PARLEY_API_KEY
  if (!values.email || !key) throw new Error(USAGE)
  return new ApiClient(new URL(values.remote).origin, { email: values.email, api_key: key })
}

/** Returns a client of an organization of the local server, which gives out the keys of its owners. */
async function localClient({ host, email }: { readonly host?: string; readonly email?: string }) {
  const url = `http://${host ?? '127.0.0.1'}:${process.env.PORT ?? 8787}`
  const local = new ApiClient(url, undefined, true)
  try {
    return await local.logIn(email ?? (host === undefined ? DEMO_OWNER.email : await firstOwner(local)))
  } catch (error) {
    const why = isUnreached(error) ? 'nobody answers there' : String(error)
    throw new Error(`The organization at ${url} cannot be reached (${why}). Start it with \`npm start\`.`)
  }
}

async function firstOwner(local: ApiClient): Promise<string> {
  const { direct_admins } = await local.call<{ direct_admins: { email: string }[] }>('GET', '/dev_list_users')
  const [owner] = direct_admins
  if (!owner) throw new Error('it has no owner')
  return owner.email
}

async function importFile(client: ApiClient, options: Options): Promise<void> {
  const id = await begunImport(client, options.file)
  const found = await watch(client, id)
  if (found.state === 'waiting') {
    const read = options.isAnother ? await separate(client, found) : found
    for (const line of reportInWords(read)) console.log(line)
    if (read.report.problems.length > 0) await printProblems(client, id)
    if (options.choices !== undefined) return writeChoices(client, id, options.choices)
    if (!(await decide(client, read, options))) return
  }
  const ended = await watch(client, id)
  for (const line of outcomeInWords(ended)) console.log(line)
  if (ended.report.problems.length > 0) await printProblems(client, id)
  if (ended.state !== 'finished') throw new Error(`The import is ${ended.state}.`)
  console.log(`\nDone: ${client.url}`)
}

/** Returns the id of the import of this file that is under way, or of a new one. */
async function begunImport(client: ApiClient, file: string): Promise<number> {
  const { imports } = await client.call<{ imports: ShownImport[] }>('GET', '/imports')
  const underWay = imports.find(({ state }) => AT_WORK.includes(state) || state === 'waiting')
  if (underWay) {
    if (underWay.name !== basename(file) || underWay.size !== statSync(file).size) {
      throw new Error(
        `Another import is running: ${underWay.name}. Wait for it to end, or cancel it in the page.`,
      )
    }
    if (underWay.is_paused) await client.call('PATCH', `/imports/${underWay.id}`, { action: 'resume' })
    return underWay.id
  }
  const show = lineOfProgress()
  const upload = await uploadArchive(client, file, (received, size) =>
    show(
      `Uploading: ${sizeInWords(received)} of ${sizeInWords(size)} (${Math.floor((received / size) * 100)} %)`,
    ),
  )
  show.end()
  const { id } = await client.call<{ id: number }>('POST', '/imports', { upload_id: upload })
  return id
}

/** Says that the archive has nothing to do with an earlier import. */
async function separate(client: ApiClient, read: ShownImport): Promise<ShownImport> {
  await client.call('PATCH', `/imports/${read.id}`, { known_source: false })
  return { ...read, earlier_import_id: null }
}

/** Waits until the import needs a decision or has ended, and shows its progress. */
async function watch(client: ApiClient, id: number): Promise<ShownImport> {
  const show = lineOfProgress()
  for (let missed = 0; ; ) {
    const imports = await importsIfReached(client)
    if (!imports) {
      missed += 1
      if (missed === MISSED_LOOKS) throw new Error(UNREACHED)
      show('The server cannot be reached. Retrying')
      await setTimeout(LOOK_MS)
      continue
    }
    missed = 0
    const shown = imports.find((one) => one.id === id)!
    if (!AT_WORK.includes(shown.state)) {
      show.end()
      return shown
    }
    show(progressInWords(shown))
    await setTimeout(LOOK_MS)
  }
}

/** Returns the imports; undefined if nobody answers, since a server may restart meanwhile, and goes on by itself. */
async function importsIfReached(client: ApiClient): Promise<ShownImport[] | undefined> {
  try {
    return (await client.call<{ imports: ShownImport[] }>('GET', '/imports')).imports
  } catch (error) {
    if (isUnreached(error)) return undefined
    throw error
  }
}

/** Whether `fetch` has found nobody. */
function isUnreached(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed'
}

/** Prints what will be imported, and asks; false if the user declines. */
async function decide(client: ApiClient, shown: ShownImport, options: Options): Promise<boolean> {
  const { mapping, isAgreed } = options
  if (mapping) await client.call('PATCH', `/imports/${shown.id}`, { mapping })
  const run: Record<string, ParameterValue> = { action: 'run' }
  if (shown.earlier_import_id) {
    const question = 'This place was imported before. Is it the same one, so that only what is new is added?'
    if (!isAgreed && !(await isAgreedTo(question))) return notYet()
    run.known_source = true
  }
  if (!isAgreed && !(await isAgreedTo('Import this?'))) return notYet()
  await client.call('PATCH', `/imports/${shown.id}`, run)
  return true
}

/** Writes the people, channels and profile fields of the archive, and the accounts and channels here which they can become. */
async function writeChoices(client: ApiClient, id: number, file: string): Promise<void> {
  const { members } = await client.call<{ members: { user_id: number; full_name: string }[] }>(
    'GET',
    '/users',
  )
  const { streams } = await client.call<{ streams: { stream_id: number; name: string }[] }>('GET', '/streams')
  const choices = {
    users: await choicesOf(client, id, 'user'),
    channels: await choicesOf(client, id, 'channel'),
    profile_fields: await choicesOf(client, id, 'profile_field'),
    here: {
      users: members.map(({ user_id, full_name }) => ({ id: user_id, name: full_name })),
      channels: streams.map(({ stream_id, name }) => ({ id: stream_id, name })),
    },
  }
  writeFileSync(file, `${JSON.stringify(choices, null, 2)}\n`)
  console.log(
    `\nThe open decisions are in ${file}. Nothing is imported yet: pass your decisions with --mapping.`,
  )
}

async function choicesOf(client: ApiClient, id: number, type: string): Promise<{ id: string }[]> {
  const all: { id: string }[] = []
  for (;;) {
    const { choices, is_last_page } = await client.call<{ choices: { id: string }[]; is_last_page: boolean }>(
      'GET',
      `/imports/${id}/choices`,
      { type, after: all.at(-1)?.id ?? '' },
    )
    all.push(...choices)
    if (is_last_page) return all
  }
}

function notYet(): false {
  console.log(
    'Nothing was imported. Run the same command again to import it (--yes skips the question), or decide in the page.',
  )
  return false
}

async function printProblems(client: ApiClient, id: number): Promise<void> {
  const { problems } = await client.call<{ problems: ShownProblem[] }>('GET', `/imports/${id}/problems`)
  for (const line of problemsInWords(problems)) console.log(line)
}

/** Returns a function that shows progress: on a terminal in one line, elsewhere in a new line for each change. */
function lineOfProgress(): ((text: string) => void) & { end(): void } {
  let last = ''
  const show = (text: string) => {
    if (text === last) return
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`)
    else console.log(text)
    last = text
  }
  return Object.assign(show, {
    end: () => {
      if (last !== '' && process.stdout.isTTY) process.stdout.write('\n')
    },
  })
}

if (import.meta.main)
  await main().catch((error: unknown) => exitWithError(isUnreached(error) ? new Error(UNREACHED) : error))

/** The command that runs a server on a machine of one's own: `npm run serve`, and `parley` in a release (docs/own-machine.md). */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { requireFreePort, withLocalD1 } from '../local-server.ts'
import { moveIn, moveOut, stayHere } from '../moving.ts'
import { requireOwnObjects } from '../object-schemas.ts'
import { makeOwnerLink, makeSetUpLink } from '../organizations.ts'
import { describeRunning, findRunningServer, keepSecretsKey } from '../state-folder.ts'
import { checkMachine } from './check-machine.ts'
import { requestCopy } from './copy-requests.ts'
import { type Release, serve } from './serving.ts'
import { COPIES, copyState, listCopies, moment, requireCopy, restoreState } from './state-copies.ts'
import {
  compareVersions,
  countMessages,
  describeVersion,
  type StateVersion,
  versionOfBuild,
  versionOfState,
} from './state-version.ts'

const USAGE = `Serves Parley from this machine, for a proxy that ends TLS.
  --settings FILE      settings by line (NAME=value); the environment wins
  --check              says what is wrong with the machine, the settings or the state; changes nothing
  --backup [FOLDER]    copies the state, while the server runs or not; by default into its folder copies
  --restore FOLDER     puts such a copy into the place of the state, which is kept as a copy
  --upgrade            brings the state of an earlier version to this one, after a copy
  --downgrade          goes back to the newest copy that this version can read; says first what it lacks, and needs --yes
  --move-out HOST      closes an organization that moves to the server at --to URL, and writes the file --into FILE (moving.env) for it
  --move-in HOST       makes an organization of such a file (--from FILE); --organization NUMBER where the store has several
  --stay HOST          opens an organization again that was to move
  --set-up-link HOST   prints a link that founds an organization, once, within a week
  --owner-link EMAIL   prints a link that logs an owner in, once, within a quarter of an hour; with --host HOST
Environment: PORT (8787), LISTEN (127.0.0.1), STATE_DIR, FIRST_HOST, TRUSTED_PROXIES, and the settings of docs/configuration.md.`

interface Place {
  readonly stateDir: string
  readonly listen: string
  readonly port: number
}

/** Runs the command. `release`: what is served; made only where it is needed. */
export async function runCommand(release: () => Promise<Release>, stateDir: () => string): Promise<void> {
  const { values } = parseArgs({
    options: {
      settings: { type: 'string' },
      check: { type: 'boolean', default: false },
      backup: { type: 'boolean', default: false },
      restore: { type: 'string' },
      upgrade: { type: 'boolean', default: false },
      downgrade: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      'set-up-link': { type: 'string' },
      'owner-link': { type: 'string' },
      host: { type: 'string' },
      'move-out': { type: 'string' },
      'move-in': { type: 'string' },
      stay: { type: 'string' },
      to: { type: 'string' },
      into: { type: 'string', default: 'moving.env' },
      from: { type: 'string' },
      organization: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return console.log(USAGE)
  if (values.settings !== undefined) process.loadEnvFile(values.settings)
  const place = { stateDir: stateDir(), listen: process.env.LISTEN ?? '127.0.0.1', port: portOf(process.env) }
  if (values.backup) return backUp(place)
  if (values.restore !== undefined) return restore(place, values.restore, await release())
  const made = await release()
  if (values.check) return check(place, made)
  if (values.upgrade) return upgrade(place, made)
  if (values.downgrade) return downgrade(place, made, values.yes)
  if (values['set-up-link'] !== undefined) return printSetUpLink(place, made, values['set-up-link'])
  if (values['owner-link'] !== undefined)
    return printOwnerLink(place, made, values['owner-link'], values.host)
  if (values['move-out'] ?? values['move-in'] ?? values.stay) return move(place, made, values)
  requireSameVersion(place.stateDir, made)
  await serve({ ...made, ...place, host: process.env.FIRST_HOST })
}

function portOf({ PORT = '8787' }: NodeJS.ProcessEnv): number {
  const port = Number(PORT)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new Error('PORT must be a number from 1 to 65535.')
}

async function check(place: Place, made: Release): Promise<void> {
  const findings = await checkMachine(place)
  const problem = problemOfVersion(place.stateDir, made)
  const all = [...findings, { what: 'version of the state', ...(problem ? { problem } : {}) }]
  for (const { what, problem, fact } of all) {
    console.log(
      `${problem ? 'WRONG' : 'ok   '}  ${what}${fact ? ` (${fact})` : ''}${problem ? `: ${problem}` : ''}`,
    )
  }
  if (all.some(({ problem }) => problem)) process.exitCode = 1
}

/** @throws {Error} with a sentence for the user. */
function requireSameVersion(stateDir: string, made: Release): void {
  const problem = problemOfVersion(stateDir, made)
  if (problem !== undefined) throw new Error(problem)
}

function problemOfVersion(stateDir: string, { bundle }: Release): string | undefined {
  const state = versionOfState(stateDir)
  const build = versionOfBuild(bundle.migrations)
  if (!state) return undefined
  switch (compareVersions(state, build)) {
    case 'older':
      return `${describe(stateDir, state, build)} --upgrade brings it here, after a copy.`
    case 'newer':
      return `${describe(stateDir, state, build)} Start that version, or go back to a copy with --downgrade.`
    case 'same':
      return problemOfObjects(stateDir)
  }
}

function describe(stateDir: string, state: StateVersion, build: StateVersion): string {
  return `The state in ${stateDir} is of another version: ${describeVersion(state)}, and this one has ${describeVersion(build)}.`
}

function problemOfObjects(stateDir: string): string | undefined {
  try {
    requireOwnObjects(stateDir)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function backUp({ stateDir }: Place): Promise<void> {
  const to = positional() ?? join(stateDir, COPIES, moment())
  const running = await findRunningServer(stateDir)
  const report = running ? await requestCopy(stateDir, running, to) : copyState(stateDir, to)
  const mib = (report.bytes / 2 ** 20).toFixed(1)
  console.log(`${to}: ${mib} MiB${running ? `; the server stood still for ${report.pauseMs} ms` : ''}`)
}

function positional(): string | undefined {
  const { positionals } = parseArgs({ strict: false, allowPositionals: true })
  return positionals[0]
}

async function restore(place: Place, copy: string, made: Release): Promise<void> {
  await requireStopped(place)
  requireCopy(copy)
  const problem = compareWith(copy, made) === 'newer'
  if (problem) throw new Error(`${copy} was made by a newer version, which this one cannot read.`)
  const { kept } = restoreState(copy, place.stateDir)
  console.log(`${place.stateDir} is the state of ${copy}.${kept ? ` What was there is in ${kept}.` : ''}`)
}

function compareWith(copy: string, { bundle }: Release): 'older' | 'same' | 'newer' {
  const version = versionOfState(copy)
  if (!version) throw new Error(`${copy} has no state.`)
  return compareVersions(version, versionOfBuild(bundle.migrations))
}

/** Copies the state, and wakes each organization once with this version. */
async function upgrade(place: Place, made: Release): Promise<void> {
  await requireStopped(place)
  const { stateDir } = place
  const state = versionOfState(stateDir)
  const build = versionOfBuild(made.bundle.migrations)
  if (!state || compareVersions(state, build) === 'same')
    return console.log('The state is of this version already.')
  if (compareVersions(state, build) === 'newer') throw new Error(problemOfVersion(stateDir, made))
  const to = join(stateDir, COPIES, `${moment()}-before-upgrade`)
  copyState(stateDir, to)
  console.log(
    `From ${describeVersion(state)} to ${describeVersion(build)}. The state of before is kept in ${to}.`,
  )
  // Each organization's object is woken to end.
  const { end } = await serve({ ...made, ...place, port: 0, listen: '127.0.0.1', host: undefined })
  await end()
  const after = versionOfState(stateDir)
  if (!after || compareVersions(after, build) !== 'same') {
    throw new Error(`Some organizations were not upgraded. Try again; the copy is in ${to}.`)
  }
  console.log('Upgraded.')
}

async function downgrade(place: Place, made: Release, isSure: boolean): Promise<void> {
  await requireStopped(place)
  const { stateDir } = place
  const copy = listCopies(stateDir).find((one) => compareWith(one, made) !== 'newer')
  if (copy === undefined) throw new Error(`No copy in ${join(stateDir, COPIES)} can be read by this version.`)
  const lost = countMessages(stateDir) - countMessages(copy)
  console.log(
    `The newest copy that this version can read is ${copy} (${describeVersion(versionOfState(copy)!)}).
The present state has ${lost} messages more than it, and whatever else was changed since. It is kept as a copy, but only the newer version can read it.`,
  )
  if (!isSure) throw new Error('Nothing was changed. Add --yes to go back to the copy.')
  const { kept } = restoreState(copy, stateDir)
  console.log(`${stateDir} is the state of ${copy}. What was there is in ${kept}.`)
}

async function requireStopped({ stateDir, listen, port }: Place): Promise<void> {
  const running = existsSync(stateDir) ? await findRunningServer(stateDir) : undefined
  if (running) throw new Error(describeRunning(stateDir, running))
  await requireFreePort({ host: listen, port })
}

async function printSetUpLink({ stateDir }: Place, { bundle }: Release, host: string): Promise<void> {
  const write = writeInto(stateDir, bundle)
  console.log(await makeSetUpLink(`https://${host}`, host, write))
}

async function printOwnerLink(
  { stateDir }: Place,
  { bundle }: Release,
  email: string,
  host: string | undefined,
): Promise<void> {
  if (host === undefined) throw new Error('--owner-link needs --host HOST too.')
  const write = writeInto(stateDir, bundle)
  console.log(await makeOwnerLink({ url: `https://${host}`, host, email }, write))
}

interface MoveOptions {
  readonly 'move-out'?: string | undefined
  readonly 'move-in'?: string | undefined
  readonly stay?: string | undefined
  readonly to?: string | undefined
  readonly into: string
  readonly from?: string | undefined
  readonly organization?: string | undefined
}

/** Moves an organization out, or in (docs/moving.md), at the running server. */
async function move({ stateDir }: Place, { bundle }: Release, options: MoveOptions): Promise<void> {
  const running = await findRunningServer(stateDir)
  if (!running) throw new Error('Start the server first, since it does the work.')
  const server = { url: new URL(running.url).origin, write: writeInto(stateDir, bundle) }
  const { stay, to, from } = options
  if (stay !== undefined) return stayHere(server, stay)
  if (options['move-out'] !== undefined) {
    if (to === undefined) throw new Error('--move-out needs --to URL too.')
    const settings = { ...process.env, SECRETS_KEY: process.env.SECRETS_KEY || keepSecretsKey(stateDir) }
    return moveOut(server, { host: options['move-out'], to, settings, into: resolve(options.into) })
  }
  if (from === undefined) throw new Error('--move-in needs --from FILE too.')
  const organization = options.organization === undefined ? undefined : Number(options.organization)
  await moveIn(server, { host: options['move-in']!, from: resolve(from), organization })
}

/** Returns what writes into D1, whether the server runs or not. */
function writeInto(stateDir: string, bundle: Release['bundle']): (sql: string) => Promise<unknown> {
  if (!versionOfState(stateDir)) throw new Error('There is no state yet: start the server once first.')
  return (sql) => withLocalD1(bundle, stateDir, (database) => database.prepare(sql).run())
}

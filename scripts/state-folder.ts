/**
 * The folder of the local state: the SQLite files of the realm objects and of D1, and a file about
 * the server that has them open. Its layout under `v3` is wrangler's, so that
 * `wrangler d1 execute parley --local --persist-to <folder>` reads the same database.
 */

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { fromJson } from './json.ts'
import type { OtherBuild } from './migrations.ts'
import { PROJECT } from './project.ts'

/** A file that marks a folder as ours, which may be deleted. The first start writes it. */
export const STATE_MARK = 'parley-state.json'
const SERVER_NOTE = 'server.json'

/** The server that has a state folder open. `runtimePid` is the workerd process that does the work. */
export interface RunningServer {
  url: string
  pid: number
  runtimePid: number
}

/** Returns STATE_DIR of the environment, or else `.parley/state`. */
export function chosenStateDir(): string {
  return resolve(PROJECT, process.env.STATE_DIR ?? '.parley/state')
}

export function openStateDir(stateDir: string): void {
  if (existsSync(join(stateDir, STATE_MARK))) return
  if (existsSync(stateDir) && readdirSync(stateDir).length > 0) {
    throw new Error(`${stateDir} holds something other than Parley's state. Choose another STATE_DIR.`)
  }
  mkdirSync(stateDir, { recursive: true })
  writeFileSync(join(stateDir, STATE_MARK), `${JSON.stringify({ created: new Date().toISOString() })}\n`)
}

/**
 * Deletes the state folder.
 * @returns false if there was nothing to delete.
 */
export async function deleteStateDir(stateDir: string): Promise<boolean> {
  if (!existsSync(stateDir)) return false
  if (!existsSync(join(stateDir, STATE_MARK))) {
    throw new Error(
      `${stateDir} does not look like Parley's state (it has no ${STATE_MARK}), so it was left alone.`,
    )
  }
  const running = await findRunningServer(stateDir)
  if (running !== undefined) throw new Error(describeRunning(stateDir, running))
  rmSync(stateDir, { recursive: true })
  return true
}

/** Stores how far the demo organization was made, so that an interrupted first start is not taken for a complete one. */
export function markDemo(stateDir: string, mark: DemoMark): void {
  writeMark(stateDir, { demo: mark })
}

export function readDemoMark(stateDir: string): DemoMark | undefined {
  return readMark(stateDir).demo
}

export type DemoMark = 'unfinished' | 'finished'

/** Marks the folder as having an organization. */
export function markReady(stateDir: string): void {
  writeMark(stateDir, { isReady: true })
}

export function isMarkedReady(stateDir: string): boolean {
  return existsSync(join(stateDir, STATE_MARK)) && readMark(stateDir).isReady === true
}

/**
 * Stores the number of databases for texts. It never becomes smaller, since texts in a further database are nowhere else.
 * @returns the number that is wanted, or the earlier one if that is larger.
 */
export function keepBodyDatabases(stateDir: string, wanted: number): number {
  const { bodyDatabases = 0 } = readMark(stateDir)
  if (wanted <= bodyDatabases) return bodyDatabases
  writeMark(stateDir, { bodyDatabases: wanted })
  return wanted
}

/** Returns the key that seals what organizations keep secret: the same at each start, since what it sealed is in this folder. */
export function keepSecretsKey(stateDir: string): string {
  const { secretsKey } = readMark(stateDir)
  if (secretsKey !== undefined) return secretsKey
  const made = newSecretsKey()
  writeMark(stateDir, { secretsKey: made })
  return made
}

/** Returns a new value of SECRETS_KEY. */
export function newSecretsKey(): string {
  return randomBytes(32).toString('base64')
}

interface Mark {
  readonly demo?: DemoMark
  readonly isReady?: boolean
  readonly bodyDatabases?: number
  readonly secretsKey?: string
}

function readMark(stateDir: string): Mark {
  return fromJson(readFileSync(join(stateDir, STATE_MARK), 'utf8'))
}

function writeMark(stateDir: string, mark: Mark): void {
  writeFileSync(join(stateDir, STATE_MARK), `${JSON.stringify({ ...readMark(stateDir), ...mark })}\n`)
}

export function describeRunning(stateDir: string, server: RunningServer): string {
  return `${stateDir} is in use by the server at ${server.url} (process ${server.pid}). Stop that one first.`
}

export function describeOtherBuild(stateDir: string, build: OtherBuild): string {
  const start = build === 'a newer' ? 'start that one, or delete it' : 'delete it'
  return `${stateDir} was made by ${build} Parley, whose data this one cannot read: ${start} with \`npm run reset\`.`
}

export function noteServer(stateDir: string, server: RunningServer): void {
  writeFileSync(join(stateDir, SERVER_NOTE), `${JSON.stringify(server)}\n`)
}

export function forgetServer(stateDir: string): void {
  rmSync(join(stateDir, SERVER_NOTE), { force: true })
}

/**
 * Returns the server that has this folder open, if there is one. A server that was killed leaves its
 * workerd running. That orphan is ended here, because it would keep port and files.
 */
export async function findRunningServer(stateDir: string): Promise<RunningServer | undefined> {
  let server: RunningServer
  try {
    server = fromJson(readFileSync(join(stateDir, SERVER_NOTE), 'utf8'))
  } catch {
    return undefined
  }
  if (server.pid !== process.pid && isAlive(server.pid) && (await answers(server.url))) return server
  if (isRuntime(server.runtimePid)) {
    process.kill(server.runtimePid, 'SIGKILL')
    while (isRuntime(server.runtimePid)) await new Promise((done) => setTimeout(done, 5))
  }
  forgetServer(stateDir)
  return undefined
}

/** Returns whether a process is one of our workerds. Process ids are reused, so its command line decides. */
function isRuntime(pid: number): boolean {
  return /workerd.* serve /.test(commandLine(pid))
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const end = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(1000, () => end(false))
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}

function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Paths of this project, and functions that run its tools. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const PROJECT = dirname(import.meta.dirname)
export const WORK = join(PROJECT, '.parley')
export const WRANGLER_CONFIG = join(PROJECT, 'wrangler.toml')
/** The folder of the page in wrangler.toml. It stays empty, because each build of the page has a folder of its own. */
export const NO_PAGE = join(WORK, 'page')
export const WEB = join(PROJECT, 'web')
/** The messages in each language, and what is compiled of them. */
export const TEXTS = join(PROJECT, 'texts')
export const MIGRATIONS = join(PROJECT, 'migrations')

/** A program that ended with an exit code other than 0; `output` is what it wrote to both channels. */
export class ProgramFailedError extends Error {
  readonly exitCode: number
  readonly output: string

  constructor(name: string, exitCode: number, output: string) {
    super(`${name} ended with exit code ${exitCode}${output === '' ? '' : `:\n${output.trim()}`}`)
    this.name = 'ProgramFailedError'
    this.exitCode = exitCode
    this.output = output
  }
}

interface RunOptions {
  show?: boolean | 'too'
  /** The folder to run in, if it is not the project's. */
  cwd?: string
  /** Added to the environment of this process. */
  env?: Record<string, string>
  /** A file for what the program writes; its descriptor 3 is the terminal. */
  log?: string
  /** Minutes after which the program and everything that it has started are killed. */
  minutes?: number
}

/**
 * Runs a JavaScript program on the Node this script runs on. With `show` its output goes to the
 * terminal, otherwise it is returned (standard output only); with 'too', both.
 * @throws {ProgramFailedError}
 */
export function runProgram(file: string, args: string[], options: RunOptions = {}): Promise<string> {
  const { show = false } = options
  const { minutes } = options
  const log = options.log === undefined ? undefined : openSync(options.log, 'w')
  const child = spawn(process.execPath, [file, ...args], {
    cwd: options.cwd ?? PROJECT,
    // The program gets a process group of its own, which can be killed as one.
    detached: minutes !== undefined,
    // Wrangler's banner asks the registry for a newer version; nothing here may depend on the network.
    env: {
      ...process.env,
      ...options.env,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_LOG_PATH: join(WORK, 'logs'),
      NO_UPDATE_NOTIFIER: '1',
    },
    stdio:
      log !== undefined ? ['ignore', log, log, 1] : show === true ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  if (log !== undefined) closeSync(log)
  let stdout = ''
  let both = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk
    both += chunk
    if (show === 'too') process.stdout.write(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    both += chunk
    if (show === 'too') process.stderr.write(chunk)
  })
  const killGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // Nothing of the group is left.
    }
  }
  const limit = minutes === undefined ? undefined : setTimeout(killGroup, minutes * 60_000)
  // A signal from the terminal does not reach another group.
  const interrupt = () => {
    killGroup()
    process.exit(130)
  }
  if (minutes !== undefined) process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      if (minutes !== undefined) killGroup()
      if (code === 0) resolve(stdout)
      else if (signal === 'SIGKILL' && minutes !== undefined)
        reject(new Error(`not finished after ${minutes} minutes`))
      else reject(new ProgramFailedError([file.split('/').at(-1), ...args].join(' '), code ?? 1, both))
    })
  })
}

export function runWrangler(args: string[], options: RunOptions = {}): Promise<string> {
  return runProgram(join(PROJECT, 'node_modules/wrangler/bin/wrangler.js'), args, options)
}

/** Prints the error as readable text and ends with exit code 1: for the last line of a script. */
export function exitWithError(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

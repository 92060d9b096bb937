import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { PROJECT } from '../../scripts/project.ts'
import { readJson } from '../support/json.ts'

const run = join(PROJECT, 'scripts/run.mjs')

export interface Ended {
  code: number | null
  output: string
}

export interface Running {
  child: ChildProcess
  /** Resolves with the match as soon as the output has one. */
  saw(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<Ended>
}

/** Starts a script of the project, as npm does. */
export function start(args: string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [run, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  }
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, output })))
  const saw = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(output)
        if (match !== null) resolve(match)
      }
      listeners.add(look)
      look()
      ended.then(() => reject(new Error(`It ended without saying ${pattern}:\n${output}`)))
    })
  return { child, saw, ended }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Repeats a request until the server listens. */
export async function firstAnswer(url: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response) return response.json()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns the API key that the local server gives for a user name. */
export async function keyOf(url: string, username: string): Promise<string> {
  const body = new URLSearchParams({ username })
  const response = await fetch(`${url}/api/v1/dev_fetch_api_key`, { method: 'POST', body })
  return (await readJson<{ api_key: string }>(response)).api_key
}

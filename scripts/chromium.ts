import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Names under which systems have it; `CHROMIUM` in the environment goes before them. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser for tests; undefined where there is none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  return PROGRAMS.find((program) => succeeds(program, ['--version']))
}

/** Its whole path, for who does not look along the PATH; undefined where there is none. */
export function chromiumPath(): string | undefined {
  const program = findChromium()
  if (program === undefined || program.includes('/')) return program
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

/** Gets it from the system's packages, where this may be done; else the tests that need it say that they were left out. */
export function installChromium(): void {
  if (findChromium() !== undefined || process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  process.stdout.write('Installing Chromium for the tests in a browser\n')
  if (!succeeds('apt-get', ['update', '-q'], env)) return
  succeeds('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], env)
}

function succeeds(program: string, args: readonly string[], env = process.env): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env })
    return true
  } catch {
    return false
  }
}

import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** Names under which systems have it; `CHROMIUM` in the environment goes before them. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser for tests; undefined where there is none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  return PROGRAMS.find((program) => succeeds(program, ['--version']))
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

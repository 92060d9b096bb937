import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** Names of the program on various systems. `CHROMIUM` in the environment has priority. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser without its windows: the same pages take half the time. It has no notifications, and shows no PDF. */
const SHELL = 'chromium-headless-shell'

/** Returns the name of the browser for tests; undefined where there is none. */
export function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  return PROGRAMS.find((program) => succeeds(program, ['--version']))
}

/** Returns the absolute path of the browser, for callers that do not search the PATH; undefined where there is none. */
export function chromiumPath(): string | undefined {
  return pathOf(findChromium())
}

/** Returns the absolute path of the shell; of the whole browser where there is no shell. */
export function chromiumShellPath(): string | undefined {
  if (process.env.CHROMIUM || !succeeds(SHELL, ['--version'])) return chromiumPath()
  return pathOf(SHELL)
}

function pathOf(program: string | undefined): string | undefined {
  if (program === undefined || program.includes('/')) return program
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

/** The font of the emoji in the kept pictures of the page. */
const EMOJI_FONT = 'fonts-noto-color-emoji'
const EMOJI_FONT_FILE = '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf'

/** Installs the browser, its shell, and a font of emoji from the system's packages if this process may. Otherwise the tests that need it report that they were skipped. */
export function installChromium(): void {
  const missing = [
    ...(findChromium() === undefined ? ['chromium', SHELL] : []),
    ...(existsSync(EMOJI_FONT_FILE) ? [] : [EMOJI_FONT]),
  ]
  if (missing.length === 0 || process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  process.stdout.write(`Installing for the browser tests: ${missing.join(', ')}\n`)
  if (!succeeds('apt-get', ['update', '-q'], env)) return
  for (const name of missing)
    succeeds('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], env)
}

function succeeds(program: string, args: readonly string[], env = process.env): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env })
    return true
  } catch {
    return false
  }
}

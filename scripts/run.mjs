#!/usr/bin/env node
/**
 * The entry of every npm script. It must run on Node 14 or newer and without node_modules, because it provides both: it installs missing
 * packages of the lock file, then
 * runs the rest on the Node of node_modules, with the arguments, signals and exit code passed on.
 *
 *   node scripts/run.mjs scripts/start.ts --port 8787     a script of this project
 *   node scripts/run.mjs vitest run                       a program of node_modules/.bin
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const bin = join(modules, '.bin')
const windows = process.platform === 'win32'

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages || {}
  } catch (_) {
    return undefined
  }
}

/**
 * Compares contents and not times, which a checkout or a copy changes. npm writes the inner file last, so an interrupted installation counts
 * as missing.
 */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(join(modules, '.package-lock.json'))
  if (wanted === undefined) fail('package-lock.json is missing or not JSON: take it from the repository.')
  if (present === undefined) return false
  return Object.keys(wanted).every((path) => {
    if (path === '') return true
    // Packages for other platforms are optional, and rightly absent here.
    if (present[path] === undefined) return wanted[path].optional === true
    return present[path].version === wanted[path].version
  })
}

function runNpm(args) {
  const npm = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  if (npm !== undefined && /npm-cli\.[cm]?js$/.test(npm)) {
    return spawnSync(process.execPath, [npm].concat(args), options)
  }
  return spawnSync('npm', args, Object.assign({ shell: windows }, options))
}

function install() {
  process.stderr.write('Installing what package-lock.json names …\n')
  const done = runNpm(['ci', '--no-fund', '--no-audit', '--loglevel=error'])
  if (done.error)
    fail(`npm cannot be started (${done.error.message}). Install Node.js with npm and try again.`)
  if (done.status !== 0) fail('`npm ci` failed; its own words stand above. Nothing was started.')
}

/** The version of a Node program, like "24.21.0", or undefined if it does not run. */
function versionOf(node) {
  const asked = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return asked.status === 0 ? asked.stdout.trim().replace(/^v/, '') : undefined
}

/**
 * The `node` package fetches its program in an install script. npm 12 skips such scripts unless they are allowed, and every version does with
 * `--ignore-scripts`, so the script is run here if its result is missing.
 */
function findNode() {
  const home = join(modules, 'node')
  const node = join(home, 'bin', windows ? 'node.exe' : 'node')
  const wanted = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).version
  if (existsSync(node) && versionOf(node) === wanted) return node
  process.stderr.write(`Fetching Node ${wanted} for this project …\n`)
  spawnSync(process.execPath, ['installArchSpecificPackage'], { cwd: home, stdio: ['ignore', 2, 2] })
  if (existsSync(node) && versionOf(node) === wanted) return node
  if (Number(process.version.slice(1).split('.')[0]) >= Number(wanted.split('.')[0])) return process.execPath
  return fail(
    `Node ${wanted} could not be put into node_modules, and the Node at hand is ${process.version}.\n` +
      'Run `npm rebuild node --foreground-scripts` and read what it says,\n' +
      `or install Node ${wanted.split('.')[0]} or newer and start again.`,
  )
}

const [what, ...args] = process.argv.slice(2)
if (what === undefined) fail('Usage: node scripts/run.mjs <script.ts | program> [arguments]')
if (!isInstalled()) install()
const node = findNode()
// What is compiled of the texts is imported from everywhere.
const texts = spawnSync(node, [join(root, 'scripts/compile-texts.ts')], { stdio: ['ignore', 2, 2] })
if (texts.status !== 0 && what !== 'scripts/fill-texts.ts')
  fail('The texts are wrong: see above. `npm run texts` puts English where a language lacks a message.')

const env = Object.assign({}, process.env, { WRANGLER_SEND_METRICS: 'false' })
const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') || 'PATH'
env[pathKey] = [dirname(node), bin, env[pathKey]].filter(Boolean).join(delimiter)

const isScript = /\.[cm]?[jt]s$/.test(what)
const options = { cwd: root, env, stdio: 'inherit' }
const child = isScript
  ? spawn(node, [join(root, what)].concat(args), options)
  : spawn(what, args, Object.assign({ shell: windows }, options))

child.on('error', (error) => fail(`${what} cannot be started: ${error.message}`))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // Ctrl-C in a terminal reaches the whole group by itself; passing it on would look like a second one.
    if (signal === 'SIGINT' && process.stdin.isTTY) return
    child.kill(signal)
  })
}
// npm passes a SIGTERM to the shell in between, which passes it on to no process, so children would keep running.
const parent = process.ppid
const watch = process.env.npm_lifecycle_event === undefined ? undefined : setInterval(endWithNpm, 300)
function endWithNpm() {
  if (process.ppid === parent) return
  clearInterval(watch)
  child.kill('SIGTERM')
}
child.on('exit', (code, signal) => {
  process.exit(signal === null ? code : 128 + (constants.signals[signal] || 0))
})

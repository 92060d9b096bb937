import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildWorker, MAIN_MODULE, type WorkerBundle } from '../../scripts/build.ts'
import { measureStartUp, START_UP_MS } from '../../scripts/start-up.ts'

const SLOW = 60_000

/** Returns the code of all modules. A string that continues in the next line of a module is joined. */
const codeOf = ({ folder, modules }: WorkerBundle) =>
  modules.map((module) => readFileSync(join(folder, module.path), 'latin1').replaceAll('\\\n', '')).join('\n')

describe('the bundles', () => {
  const development = [
    'dev_fetch_api_key',
    'dev_list_users',
    '/dev/run',
    '/dev/organizations',
    '/dev/seed',
    '/dev/log_in',
    '/dev/people',
    '/dev/mail',
    '/dev/components',
  ]

  it('contain no development endpoint when deployed', { timeout: SLOW }, async () => {
    const code = codeOf(await buildWorker('deployed'))
    expect(code.includes('fetch_api_key')).toBe(true)
    expect(development.filter((name) => code.includes(name))).toEqual([])
    // keep_names: esbuild's helper runs for each function that is made, and took 4 to 6 % of a poll's time.
    expect(code).not.toMatch(/\b__name\b/)
  })

  it('have only ASCII code, which takes one byte for each character in memory', {
    timeout: SLOW,
  }, async () => {
    for (const entry of ['deployed', 'local'] as const) {
      const { folder } = await buildWorker(entry)
      const code = readFileSync(join(folder, MAIN_MODULE), 'utf8')
      expect(code.length).toBeGreaterThan(1_000_000)
      expect(code.match(/[^\0-\x7f]/g)).toBeNull()
    }
  })

  it('print by only one function: dependencies have a console that writes nothing', {
    timeout: SLOW,
  }, async () => {
    for (const entry of ['deployed', 'local'] as const) {
      const code = codeOf(await buildWorker(entry))
      const named = code.match(/[\w$.]*\bconsole\s*(?=[.[),;])/g)
      expect(named).toEqual(['globalThis.console', 'globalThis.console'])
      expect(code).toContain('silentConsole.warn("No character metrics ')
    }
  })

  it('take less than a second to start', { timeout: SLOW }, async () => {
    expect(await measureStartUp(await buildWorker('deployed'))).toBeLessThan(START_UP_MS)
  })

  it('contain them in local development', { timeout: SLOW }, async () => {
    const code = codeOf(await buildWorker('local'))
    expect(development.filter((name) => code.includes(name))).toEqual(development)
  })
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildWorker, MAIN_MODULE } from '../../scripts/build.ts'
import { PROJECT } from '../../scripts/project.ts'

it('npm run logs --sources shows where in the source an error comes from', { timeout: 60_000 }, async () => {
  const { folder } = await buildWorker('deployed')
  const code = readFileSync(join(folder, MAIN_MODULE), 'utf8')
  /** Returns where a function begins in the bundle. */
  const placeOf = (declared: string) => {
    const before = code.slice(0, code.indexOf(declared)).split('\n')
    return `${MAIN_MODULE}:${before.length}:${before.at(-1)!.length + 1}`
  }
  const frames = [
    `at describeError (${placeOf('function describeError(')})`,
    `at file:///x/${placeOf('function transactOn(')}`,
    'at sent (other.js:1:1)',
  ]
  const error = ['Error: no', ...frames].join('\n    ')
  const file = join(mkdtempSync(join(tmpdir(), 'parley-logs-')), 'log')
  writeFileSync(
    file,
    JSON.stringify({ at: '2026-11-20T21:53:04.396Z', level: 'error', what: 'A request failed', error }),
  )
  const run = [join(PROJECT, 'scripts/logs.ts'), file, '--sources', 'deployed']
  const printed = execFileSync(process.execPath, run, { encoding: 'utf8' })
  const places = [...printed.matchAll(/(src\/\S+?):(\d+)/g)].map(
    ([, name, line]) => readFileSync(join(PROJECT, name!), 'utf8').split('\n')[Number(line) - 1],
  )
  expect(places).toEqual([
    expect.stringContaining('function describeError('),
    expect.stringContaining('function transactOn'),
  ])
  expect(printed).toContain('at sent (other.js:1:1)')
})

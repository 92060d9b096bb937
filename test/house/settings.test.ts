import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { SETTINGS, settingsFrom } from '../../scripts/settings.ts'
import { RUNS_OF_A_NIGHT } from '../../src/core/time.ts'

/** The members of the interfaces of the environment, and the settings of rate limits. */
const DECLARED = /^ {2}(?:readonly ([A-Z][A-Z0-9_]+)\?: string|(RATE_LIMIT_[A-Z_]+): '\w+',)$/gm

/** Returns the declared settings. Settings for local development only are options of `npm start`. */
function declaredSettings(): string[] {
  const src = join(PROJECT, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.startsWith('dev/'),
  )
  return files.flatMap((path) =>
    [...readFileSync(join(src, path), 'utf8').matchAll(DECLARED)].map(
      ([, member, limit]) => (member ?? limit)!,
    ),
  )
}

it('the page of settings lists every one that the source knows, and no other', () => {
  const page = readFileSync(join(PROJECT, 'docs/configuration.md'), 'utf8')
  const section = /^## Settings\n(.*?)^## /ms.exec(page)![1]!
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!),
  )
  expect(listed).toEqual([...SETTINGS])
  expect(listed.toSorted()).toEqual([...new Set(declaredSettings())].sort())
})

it('npm start passes on the settings in its environment', () => {
  expect(settingsFrom({ UPLOAD_QUOTA_MIB: '5', RATE_LIMITS: '', PATH: '/bin' })).toEqual({
    UPLOAD_QUOTA_MIB: '5',
    RATE_LIMITS: '',
  })
})

it('wrangler.toml starts one nightly run for each share of the work', () => {
  const toml = readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8')
  const [, first, last, step, from, to] = /^crons = \["(\d+)-(\d+)\/(\d+) (\d+)-(\d+) \* \* \*"\]$/m
    .exec(toml)!
    .map(Number)
  const ofAnHour = Math.floor((last! - first!) / step!) + 1
  expect(ofAnHour * (to! - from! + 1)).toBe(RUNS_OF_A_NIGHT)
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'

const CORE = join(PROJECT, 'src/core')
const BUDGETS = readFileSync(join(CORE, 'budgets.ts'), 'utf8')

it('budgets are one table of at most thirty', () => {
  expect(readdirSync(CORE).filter((file) => file.includes('budget'))).toEqual(['budgets.ts'])
  const entries = BUDGETS.match(/^export const /gm)!
  expect(entries.length).toBeGreaterThan(20)
  expect(entries.length).toBeLessThanOrEqual(30)
})

it('each budget says who feels it', () => {
  const documented = [
    ...BUDGETS.matchAll(
      /^\/\*\*(?:(?!\*\/)[\s\S])*?\n \* Felt by .+\n(?: \* .+\n)* \*\/\nexport const (\w+)/gm,
    ),
  ]
  expect(documented.map(([, name]) => name)).toEqual(
    Array.from(BUDGETS.matchAll(/^export const (\w+)/gm), ([, name]) => name),
  )
})

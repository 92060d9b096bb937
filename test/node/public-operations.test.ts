import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/endpoints/index.ts'
import { isServed, OPERATIONS_FILE, type PublicOperation } from '../compatibility/public-operations.ts'

const operations = JSON.parse(readFileSync(OPERATIONS_FILE, 'utf8')) as PublicOperation[]

describe('the operations of the public API', () => {
  it.each(operations.filter(({ priority }) => priority <= 2))(
    '$method $path is served: the interface document has it, or clients need it',
    (operation) => {
      expect(isServed(operation)).toBe(true)
    },
  )
})

describe('every endpoint', () => {
  const tests = allTests(join(import.meta.dirname, '..'))

  it.each(ENDPOINTS.map(({ operation, path }) => [operation, path]))(
    '%s has a black-box test',
    (_operation, path) => {
      const fixed = path.split(/:[a-z_]+/).filter((part) => part.length > 1)
      expect(tests.some((text) => fixed.every((part) => text.includes(part.replace(/\/$/, ''))))).toBe(true)
    },
  )
})

function allTests(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && /^(endpoints|spec|http|realm)/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

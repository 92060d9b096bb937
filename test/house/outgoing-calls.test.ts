import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'

/** Matches the platform's `fetch`, and not that of a stub or a router. */
const CALLS = /(?<![.\w]|async )fetch\(|globalThis\.fetch|\bconnect\(/

it('only one function fetches, checking each address; mail goes to the configured server', () => {
  const src = join(PROJECT, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const calling = files.filter((path) => {
    const code = readFileSync(join(src, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    return CALLS.test(code)
  })
  expect(calling.toSorted()).toEqual(['outgoing/call-out.ts', 'outgoing/emails/email-by-smtp.ts'])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'

it('the platform logs no addresses of requests, which have keys and codes', () => {
  const sections = readFileSync(join(PROJECT, 'wrangler.toml'), 'utf8').split(/^(?=\[)/m)
  const section = (name: string) => sections.filter((one) => one.startsWith(`[${name}]\n`))
  expect(section('observability')).toEqual([
    expect.stringMatching(/^enabled = true\nredact_query_string = true$/m),
  ])
  expect(section('observability.logs')).toEqual([expect.stringMatching(/^invocation_logs = false$/m)])
})

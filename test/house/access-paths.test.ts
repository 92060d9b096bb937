import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { aboutAccess, PATHS_PAST_ACCESS } from '../../scripts/access-paths.ts'
import { PROJECT } from '../../scripts/project.ts'

describe('the lines of `npm run deploy` about Cloudflare Access', () => {
  it('names the path to protect, and those to leave open, if Access is set', () => {
    expect(aboutAccess()).toEqual([])
    const said = aboutAccess({ ACCESS_TEAM_DOMAIN: 'acme.cloudflareaccess.com' }).join('\n')
    expect(said).toContain('protect /accounts/login/sso/ alone')
    for (const path of PATHS_PAST_ACCESS) expect(said.split(' ')).toContain(path)
  })

  it('names the paths that the documentation names', () => {
    const page = readFileSync(join(PROJECT, 'docs/login.md'), 'utf8')
    const paragraph = /bypass, for at least ([\s\S]*?)\n\n/.exec(page)![1]!
    const named = [...paragraph.matchAll(/`([^`]+)`/g)].map(([, path]) => path)
    expect(named.filter((path) => path !== '/accounts/login/sso/').toSorted()).toEqual(
      [...PATHS_PAST_ACCESS].toSorted(),
    )
  })
})

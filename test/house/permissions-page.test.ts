import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { ENDPOINTS } from '../../src/features/index.ts'
import { permissionsPage } from '../permission-matrix/page.ts'

describe('docs/permissions.md', () => {
  it('equals what the table of permissions generates (npm run permissions)', () => {
    expect(readFileSync(join(PROJECT, 'docs/permissions.md'), 'utf8')).toBe(permissionsPage(ENDPOINTS))
  })
})

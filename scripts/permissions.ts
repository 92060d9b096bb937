/**
 * `npm run permissions`: writes docs/permissions.md from the table of permissions. The page is never edited by hand; a test
 * fails while it differs from the table.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENDPOINTS } from '../src/features/index.ts'
import { permissionsPage } from '../test/permission-matrix/page.ts'
import { PROJECT } from './project.ts'

writeFileSync(join(PROJECT, 'docs/permissions.md'), permissionsPage(ENDPOINTS))
console.log('Written to docs/permissions.md')

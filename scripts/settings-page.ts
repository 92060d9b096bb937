/**
 * `npm run settings`: writes docs/settings.md from the table of settings. The page is never edited by hand; a test fails while
 * it differs from the table.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsPage } from '../test/settings-table/page.ts'
import { PROJECT } from './project.ts'

writeFileSync(join(PROJECT, 'docs/settings.md'), settingsPage())
console.log('Written to docs/settings.md')

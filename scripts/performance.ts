/** `npm run performance`: writes the tables of docs/performance.md. A test fails while they differ. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withTables } from './performance-page.ts'
import { PROJECT } from './project.ts'

const PAGE = join(PROJECT, 'docs/performance.md')
writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')))
console.log('Written to docs/performance.md')

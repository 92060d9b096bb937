/** `npm run performance`: writes docs/performance.md from counted rows. A test fails while the page differs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performancePage } from './performance-page.ts'
import { PROJECT } from './project.ts'

writeFileSync(join(PROJECT, 'docs/performance.md'), performancePage())
console.log('Written to docs/performance.md')

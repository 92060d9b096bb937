/**
 * `npm run interface`: writes operations.md, event-types.md, permission-settings.md and examples.md in docs/interface, docs/integrations.md, and the samples in
 * web/actions, from the declarations of endpoints, events, permissions and integrations. These files are never edited by hand; a test fails while they differ.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENT_TYPES } from '../src/events/index.ts'
import { ENDPOINTS } from '../src/features/index.ts'
import { GROUP_SETTINGS } from '../src/rules/group-settings.ts'
import { examplesPage } from './examples-page.ts'
import { integrationsPage } from './integrations-page.ts'
import { eventTypesPage, operationsPage, permissionSettingsPage } from './interface-pages.ts'
import { PROJECT } from './project.ts'
import { SAMPLES_FILE, serviceSamples } from './service-samples.ts'

writeFileSync(join(PROJECT, 'docs/interface/operations.md'), operationsPage(ENDPOINTS))
writeFileSync(join(PROJECT, 'docs/interface/event-types.md'), eventTypesPage([...EVENT_TYPES.values()]))
writeFileSync(join(PROJECT, 'docs/interface/permission-settings.md'), permissionSettingsPage(GROUP_SETTINGS))
writeFileSync(join(PROJECT, 'docs/interface/examples.md'), examplesPage())
writeFileSync(join(PROJECT, 'docs/integrations.md'), integrationsPage())
writeFileSync(join(PROJECT, SAMPLES_FILE), serviceSamples())
console.log(`Written to docs/interface, docs/integrations.md and ${SAMPLES_FILE}`)

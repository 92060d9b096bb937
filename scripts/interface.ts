/**
 * `npm run interface`: writes operations.md, event-types.md and permission-settings.md in docs/interface, and docs/integrations.md, from the
 * declarations of endpoints, events, permissions and integrations. These pages are never edited by hand; a test fails while they differ from the declarations.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENDPOINTS } from '../src/endpoints/index.ts'
import { EVENT_TYPES } from '../src/events/index.ts'
import { GROUP_SETTINGS } from '../src/permissions/group-settings.ts'
import { integrationsPage } from './integrations-page.ts'
import { eventTypesPage, operationsPage, permissionSettingsPage } from './interface-pages.ts'
import { PROJECT } from './project.ts'

writeFileSync(join(PROJECT, 'docs/interface/operations.md'), operationsPage(ENDPOINTS))
writeFileSync(join(PROJECT, 'docs/interface/event-types.md'), eventTypesPage([...EVENT_TYPES.values()]))
writeFileSync(join(PROJECT, 'docs/interface/permission-settings.md'), permissionSettingsPage(GROUP_SETTINGS))
writeFileSync(join(PROJECT, 'docs/integrations.md'), integrationsPage())
console.log('Written to docs/interface and docs/integrations.md')

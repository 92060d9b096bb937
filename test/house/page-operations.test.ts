import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { routeOf } from '../../scripts/interface-pages.ts'
import { PROJECT } from '../../scripts/project.ts'
import { ENDPOINTS } from '../../src/features/index.ts'

/** Operations that nobody would look for in a view, each with its reason. Reads need none: they are for programs, since the page learns from its snapshot and events. */
const NO_VIEW: Readonly<Record<string, readonly string[]>> = {
  'for programs: what they keep': ['PUT /bot_storage', 'DELETE /bot_storage', 'DELETE /events'],
  'older or second forms of what the page does in another': [
    'DELETE /users/me/profile_data',
    'PATCH /settings/display',
    'PATCH /settings/notifications',
    'PATCH /users/me/subscriptions',
    'PATCH /users/me/subscriptions/muted_topics',
    'PATCH /users/me/subscriptions/{stream_id}',
    'POST /mark_all_as_read',
    'POST /mark_stream_as_read',
    'POST /mark_topic_as_read',
    'POST /user_groups/{user_group_id}/subgroups',
    'POST /user_uploads',
  ],
  'for other clients: phones, programs that log in, tours of the public client': [
    'POST /jwt/fetch_api_key',
    'POST /mobile_push/e2ee/test_notification',
    'POST /mobile_push/register',
    'POST /mobile_push/test_notification',
    'POST /register_client_device',
    'POST /users/me/android_gcm_reg_id',
    'POST /users/me/apns_device_token',
    'POST /users/me/onboarding_steps',
  ],
  'for other services, which post to its address': ['POST /external/{integration}'],
  'signals that the page does not send': [
    'POST /messages/{message_id}/typing',
    'DELETE /web_push/subscriptions',
  ],
  'nothing that this server does': ['POST /calls/constructorgroups/create', 'POST /calls/webex/create'],
}

/** Operations that are not called by a literal, with the files that call them. */
const CALLED_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  'actions/accounts.ts': ['DELETE /invites/{invite_id}', 'DELETE /invites/multiuse/{invite_id}'],
  'actions/reactions.ts': ['DELETE /messages/{message_id}/reactions'],
  'api/uploads.ts': [
    ...['POST /tus/', 'PATCH /tus/{upload}', 'DELETE /tus/{upload}'],
    ...['POST /imports/uploads/', 'PATCH /imports/uploads/{upload}', 'DELETE /imports/uploads/{upload}'],
  ],
}

/** Sources of the page, as one text. */
function sourcesOfPage(): string {
  return readdirSync(join(PROJECT, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts'))
    .map((name) => readFileSync(join(PROJECT, 'web', name), 'utf8'))
    .join('\n')
}

/** Routes that the page calls, each parameter as `{}`. */
function calledRoutes(): Set<string> {
  const source = sourcesOfPage()
  const called = [...source.matchAll(/'(GET|POST|PATCH|PUT|DELETE)',\s*['`](\/[^'`]+)['`]/g)]
  const short = [...source.matchAll(/api\s*\.(get|post|patch|delete|postForm)\(\s*['`](\/[^'`]+)['`]/g)]
  const routes = [...called, ...short].map(([, method, path]) => {
    const verb = method === 'postForm' ? 'POST' : method!.toUpperCase()
    return `${verb} ${path!.replaceAll(/\$\{[^}]*\}/g, '{}')}`
  })
  return new Set(routes)
}

it('the page has a view for every change, or lists it as API-only', () => {
  const called = calledRoutes()
  for (const [file, routes] of Object.entries(CALLED_OTHERWISE)) {
    const source = readFileSync(join(PROJECT, 'web', file), 'utf8')
    for (const route of routes) {
      expect(source).toContain(/\/\w+/.exec(route)![0])
      called.add(route.replaceAll(/\{[^}]*\}/g, '{}'))
    }
  }
  const named = Object.values(NO_VIEW).flat()
  const routes = ENDPOINTS.filter(({ method }) => method !== 'GET').map(routeOf)
  const missing = routes.filter(
    (route) => !called.has(route.replaceAll(/\{[^}]*\}/g, '{}')) && !named.includes(route),
  )
  expect(missing).toEqual([])
  expect(named.filter((route) => !routes.includes(route))).toEqual([])
  const withoutView = Object.values(NO_VIEW).flat()
  expect(withoutView.filter((route) => called.has(route.replaceAll(/\{[^}]*\}/g, '{}')))).toEqual([])
})

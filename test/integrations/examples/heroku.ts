import type { Example } from '../example.ts'

const post = (resource: string, action: string, data: object) => ({
  id: '4760c6ce-a042-4fdf-9e9d-bcf86b2af3c4',
  created_at: '2026-11-02T10:40:00Z',
  updated_at: '2026-11-02T10:40:00Z',
  published_at: '2026-11-02T10:40:01Z',
  actor: { id: '92dc2b2f', email: 'ada@example.com' },
  action,
  resource: `api:${resource}`,
  data,
  previous_data: {},
  sequence: null,
  version: 'application/vnd.heroku+json; version=3',
  webhook_metadata: {
    attempt: { id: '5c1c5b1f' },
    delivery: { id: '8c1c5b1f' },
    event: { id: `99c2b1f-${resource}-${action}`, include: `api:${resource}` },
    webhook: { id: '7c1c5b1f' },
  },
})
const app = { id: '42dc2b2f', name: 'shop' }
const release = {
  id: '12dc2b2f',
  app,
  version: 17,
  status: 'succeeded',
  current: true,
  description: 'Deploy 1dc6aa69',
  user: { email: 'ada@example.com' },
}

export const HEROKU_EXAMPLES: readonly Example[] = [
  {
    what: 'a release',
    isShown: true,
    body: post('release', 'update', release),
    messages: [
      {
        topic: 'shop',
        text: ':check: Release v17 of [shop](https://dashboard.heroku.com/apps/shop) by ada&#64;example&#46;com is online:\n\n~~~ quote\nDeploy 1dc6aa69\n~~~',
      },
    ],
  },
  {
    what: 'a release that is being made',
    body: post('release', 'create', { ...release, status: 'pending' }),
    messages: [],
  },
  {
    what: 'a release that fails',
    body: post('release', 'update', { ...release, status: 'failed' }),
    messages: [
      {
        topic: 'shop',
        text: ':cross_mark: Release v17 of [shop](https://dashboard.heroku.com/apps/shop) by ada&#64;example&#46;com failed:\n\n~~~ quote\nDeploy 1dc6aa69\n~~~',
      },
    ],
  },
  {
    what: 'a build that fails',
    body: post('build', 'update', {
      app,
      status: 'failed',
      user: { email: 'ada@example.com' },
      output_stream_url: 'https://build-output.heroku.example/1',
    }),
    messages: [
      {
        topic: 'shop',
        text: ':cross_mark: Build of [shop](https://dashboard.heroku.com/apps/shop) by ada&#64;example&#46;com failed ([output](https://build-output.heroku.example/1)).',
      },
    ],
  },
  {
    what: 'a dyno',
    body: post('dyno', 'create', { app, name: 'web.1', state: 'starting', type: 'web' }),
    messages: [],
  },
  {
    what: 'a new app',
    body: post('app', 'create', app),
    messages: [{ topic: 'shop', text: 'ada&#64;example&#46;com created the app **shop**.' }],
  },
  {
    what: 'a person',
    body: post('collaborator', 'destroy', { app, user: { email: 'grace@example.com' } }),
    messages: [
      {
        topic: 'shop',
        text: 'ada&#64;example&#46;com deleted the collaborator **grace&#64;example&#46;com** of [shop](https://dashboard.heroku.com/apps/shop).',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { resource: 'api:addon', action: ['create'], data: { app: 'shop', name: {} }, actor: null },
    messages: [{ topic: 'Heroku', text: 'Someone changed the addon.' }],
  },
  { what: 'something else', body: { action: 'create' }, unsupported: 'create' },
]

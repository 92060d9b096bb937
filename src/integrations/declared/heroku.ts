import { signedBy } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const APP =
  '[{{data.app.name | or: data.name | default: "an app"}}](https://dashboard.heroku.com/apps/{{data.app.name | or: data.name}})'
const USER = '{{data.user.email | or: actor.email | default: "Someone"}}'
const released = (icon: string, done: string): Words => ({
  says: `${icon} Release{{? v{{data.version}}?}} of ${APP} by ${USER} ${done}`,
  quotes: '{{data.description}}',
})
const built = (icon: string, done: string): Words => ({
  says: `${icon} Build of ${APP} by ${USER} ${done}{{? ([output]({{data.output_stream_url}}))?}}`,
})

/** Releases, builds and changes of apps at Heroku. Source: docs/interface/webhooks.md#services. */
export const heroku = declared({
  name: 'heroku',
  displayName: 'Heroku',
  event: '{{resource | after: "api:"}} {{action}}{{? {{data.status}}?}}',
  id: '{{webhook_metadata.event.id | or: id}}',
  topic: '{{data.app.name | or: data.name}}',
  needs: '{{resource}}',
  ...signedBy('Heroku-Webhook-Hmac-SHA256', { encoding: 'base64' }),
  events: {
    'release create pending': null,
    'release create succeeded': released(':check:', 'is online'),
    'release update succeeded': released(':check:', 'is online'),
    'release create failed': released(':cross_mark:', 'failed'),
    'release update failed': released(':cross_mark:', 'failed'),
    'build create pending': null,
    'build update succeeded': built(':check:', 'succeeded'),
    'build update failed': built(':cross_mark:', 'failed'),
    'dyno create': null,
    'dyno update': null,
    'dyno destroy': null,
  },
  otherwise: {
    says: `{{actor.email | default: "Someone"}} {{action | as: did}} the {{resource | after: "api:" | words}}{{? **{{data.name | or: data.hostname | or: data.user.email | or: data.type}}**?}}{{? of [{{data.app.name}}](https://dashboard.heroku.com/apps/{{data.app.name}})?}}`,
  },
  tables: { did: { create: 'created', update: 'changed', destroy: 'deleted', '*': 'changed' } },
})

import { signedInHex } from '../signatures.ts'
import { declared } from './declaration.ts'

/** The header in which Asana says its secret once, and wants to have it back. */
const SECRET = 'X-Hook-Secret'

/** Changes in a project of Asana, which says only the ids of things. Source: docs/interface/webhooks.md#services. */
export const asana = declared({
  name: 'asana',
  displayName: 'Asana',
  event: `{{@${SECRET} | means: "handshake"}}{{events | means: "events"}}`,
  topic: '{{events.0.resource.name}}',
  handshake: SECRET,
  // The post with the secret has no body.
  body: 'form',
  ...signedInHex('X-Hook-Signature'),
  events: {
    handshake: {
      says: `Asana signs its posts with the secret {{@${SECRET} | code}}. Enter it in the settings of this bot to have them checked`,
      isForOwner: true,
    },
    events: {
      says: '{{events | count: "change"}} in Asana',
      needs: '{{events.0.action}}',
      list: {
        of: 'events',
        says: '[{{resource.resource_subtype | or: resource.resource_type | default: "something" | words}}{{? {{resource.name}}?}}](https://app.asana.com/0/0/{{resource.gid}}/f) was {{action | words | default: "changed"}}{{?: {{change.field | words}}?}}{{? to **{{change.new_value.name | or: change.new_value.enum_value.name}}**?}}{{? ({{parent.resource_type | words}} [{{parent.name | or: parent.gid}}](https://app.asana.com/0/0/{{parent.gid}}))?}}{{? by {{user.name}}?}}',
      },
    },
  },
})

import { digestOf, isSameText } from '../signatures.ts'
import { declared } from './declaration.ts'

const SIGNATURE = 'X-HubSpot-Signature'
const signatureOf = (body: Uint8Array, secret: string) => digestOf(secret, body)

const thing = '{{subscriptionType | before: "." | words | as: thing}}'
const KINDS: Readonly<Record<string, string>> = {
  contact: '0-1',
  company: '0-2',
  deal: '0-3',
  ticket: '0-5',
  product: '0-7',
  line_item: '0-8',
}
const OBJECT = `[${thing} {{objectId}}](https://app.hubspot.com/contacts/{{portalId}}/record/{{subscriptionType | before: "." | as: kind}}/{{objectId}})`
const events = (kind: string) => ({
  [`${kind}.creation`]: { says: `${OBJECT} was created{{? ({{changeSource | words}})?}}` },
  [`${kind}.deletion`]: { says: `${OBJECT} was deleted{{? ({{changeSource | words}})?}}` },
  [`${kind}.merge`]: { says: `${OBJECT} was merged{{? with {{mergedObjectIds | join}}?}}` },
  [`${kind}.restore`]: { says: `${OBJECT} was restored` },
  [`${kind}.associationChange`]: {
    says: `The association{{? {{associationType | words}}?}} of ${OBJECT} has changed`,
  },
  [`${kind}.propertyChange`]: {
    says: `**{{propertyName | words | default: "A property"}}** of ${OBJECT} is now **{{propertyValue | default: "empty"}}**{{? ({{changeSource | words}})?}}`,
  },
})

/** Changes of contacts, companies, deals and tickets in HubSpot. Source: docs/interface/webhooks.md#services. */
export const hubspot = declared({
  name: 'hubspot',
  displayName: 'HubSpot',
  // A post has up to a hundred changes.
  each: ['.'],
  event: '{{subscriptionType}}',
  id: '{{?{{0.eventId}} {{0.occurredAt}}?}}',
  topic: `${thing} {{objectId}}`,
  verify: ({ body, header }, secret) => isSameText(header(SIGNATURE), signatureOf(body, secret)),
  sign: ({ body }, secret) => ({ [SIGNATURE]: signatureOf(body, secret) }),
  events: {
    ...Object.assign({}, ...Object.keys(KINDS).map(events)),
    'contact.privacyDeletion': { says: `${OBJECT} was deleted for privacy` },
    'conversation.creation': { says: 'Conversation {{objectId}} was created' },
    'conversation.newMessage': { says: 'Conversation {{objectId}} got a message' },
    'conversation.propertyChange': null,
    'conversation.deletion': null,
  },
  tables: {
    kind: KINDS,
    thing: {
      contact: 'Contact',
      company: 'Company',
      deal: 'Deal',
      ticket: 'Ticket',
      product: 'Product',
      'line item': 'Line item',
      conversation: 'Conversation',
      '*': 'Object',
    },
  },
})

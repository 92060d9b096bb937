import type { Example } from '../example.ts'

const change = (subscriptionType: string, objectId: number, more: object = {}) => ({
  eventId: 100 + objectId,
  subscriptionId: 11,
  portalId: 33,
  appId: 1160452,
  occurredAt: 1793616000000,
  subscriptionType,
  attemptNumber: 0,
  objectId,
  changeSource: 'CRM_UI',
  ...more,
})

export const HUBSPOT_EXAMPLES: readonly Example[] = [
  {
    what: 'a new contact',
    body: [change('contact.creation', 1246965, { changeFlag: 'NEW' })],
    messages: [
      {
        topic: 'Contact 1246965',
        text: '[Contact 1246965](https://app.hubspot.com/contacts/33/record/0-1/1246965) was created (crm ui).',
      },
    ],
  },
  {
    what: 'several changes',
    body: [
      change('deal.propertyChange', 7, { propertyName: 'dealstage', propertyValue: 'closed*won*' }),
      change('ticket.deletion', 9),
      change('conversation.propertyChange', 3),
    ],
    messages: [
      {
        topic: 'Deal 7',
        text: '**dealstage** of [Deal 7](https://app.hubspot.com/contacts/33/record/0-3/7) is now **closed&#42;won&#42;** (crm ui).',
      },
      {
        topic: 'Ticket 9',
        text: '[Ticket 9](https://app.hubspot.com/contacts/33/record/0-5/9) was deleted (crm ui).',
      },
    ],
  },
  {
    what: 'values of other types',
    body: [{ subscriptionType: 'company.merge', objectId: {}, mergedObjectIds: 7 }, 'change', null],
    messages: [{ topic: 'Company', text: 'Company was merged with 7.' }],
  },
  { what: 'another event', body: [change('robot.creation', 1)], unsupported: 'robot.creation' },
  { what: 'nothing', body: [], messages: [] },
]

import { secretInHeader } from '../signatures.ts'
import { declared, type Words } from './declaration.ts'

const EVENT: Words = {
  says: '{{status | as: icon}} [{{summary | default: "An event without a title"}}]({{htmlLink}}){{? {{start.dateTime | or: start.date | time}}?}}{{? to {{end.dateTime | time}}?}}{{? {{status | as: did}}?}}',
  quotes: '{{description | text}}',
  facts: {
    Place: '{{location}}',
    Call: '{{hangoutLink}}',
    Organizer: '{{organizer.displayName | or: organizer.email}}',
    Guests: '{{attendees | join: email}}',
  },
}

/** Events of a Google Calendar: those that a script posts, and its own notifications, which say only that something has changed. Source: docs/interface/webhooks.md#services. */
export const googleCalendar = declared({
  name: 'google_calendar',
  displayName: 'Google Calendar',
  body: 'form',
  event: '{{@X-Goog-Resource-State | or: kind | as: event}}',
  id: '{{?{{@X-Goog-Channel-ID}} {{@X-Goog-Message-Number}}?}}',
  topic: '{{organizer.displayName | or: summary}}',
  ...secretInHeader('X-Goog-Channel-Token'),
  events: {
    // The first notification of a channel says that it works.
    sync: null,
    exists: { says: 'The [calendar](https://calendar.google.com/) has changed' },
    not_exists: { says: 'Something was deleted in the [calendar](https://calendar.google.com/)' },
    event: EVENT,
  },
  tables: {
    event: { 'calendar#event': 'event' },
    icon: { cancelled: ':prohibited:', tentative: ':question:', '*': ':calendar:' },
    did: { cancelled: 'is cancelled', tentative: 'is not confirmed yet', '*': '' },
  },
})

import type { Example } from '../example.ts'

const headers = (state: string, number = '1') => ({
  'X-Goog-Channel-ID': '4ba78bf0-6a47-11e2-bcfd-0800200c9a66',
  'X-Goog-Message-Number': number,
  'X-Goog-Resource-ID': 'ret08u3rv24htgh289g',
  'X-Goog-Resource-State': state,
  'X-Goog-Resource-URI': 'https://www.googleapis.com/calendar/v3/calendars/ada%40example.com/events',
})
const event = (status: string, more: object = {}) => ({
  kind: 'calendar#event',
  etag: '"3181161784712000"',
  id: '4eahs9ghkhrvkld72hogu9ph3e',
  status,
  htmlLink: 'https://www.google.com/calendar/event?eid=NGVhaHM5',
  created: '2026-11-02T10:40:00.000Z',
  updated: '2026-11-02T10:40:00.000Z',
  summary: 'Engine [x]',
  description: '<b>Bring</b> the plans.<br>All of them.',
  location: 'Room 5',
  creator: { email: 'ada@example.com' },
  organizer: { email: 'ada@example.com', displayName: 'Ada' },
  start: { dateTime: '2026-11-03T10:00:00+01:00', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-11-03T11:00:00+01:00', timeZone: 'Europe/Berlin' },
  attendees: [{ email: 'grace@example.com', responseStatus: 'accepted' }],
  ...more,
})

export const GOOGLE_CALENDAR_EXAMPLES: readonly Example[] = [
  {
    what: 'an event',
    body: event('confirmed'),
    messages: [
      {
        topic: 'Ada',
        text: ':calendar: [Engine &#91;x&#93;](https://www.google.com/calendar/event?eid=NGVhaHM5) <time:2026-11-03T09:00:00Z> to <time:2026-11-03T10:00:00Z>:\n\n~~~ quote\nBring the plans.\nAll of them.\n~~~\n\n* Place: Room 5\n* Organizer: Ada\n* Guests: grace&#64;example&#46;com',
      },
    ],
  },
  {
    what: 'an event that is cancelled',
    body: event('cancelled', {
      start: { date: '2026-11-03' },
      end: { date: '2026-11-04' },
      attendees: [],
      description: null,
      location: undefined,
    }),
    messages: [
      {
        topic: 'Ada',
        text: ':prohibited: [Engine &#91;x&#93;](https://www.google.com/calendar/event?eid=NGVhaHM5) <time:2026-11-03T00:00:00Z> is cancelled:\n\n* Organizer: Ada',
      },
    ],
  },
  {
    what: 'a change of which Google says no more',
    headers: headers('exists', '10'),
    body: '',
    messages: [
      { topic: 'Google Calendar', text: 'The [calendar](https://calendar.google.com/) has changed.' },
    ],
  },
  { what: 'the beginning of a channel', headers: headers('sync'), body: '', messages: [] },
  {
    what: 'values of other types',
    body: { kind: 'calendar#event', status: [], summary: {}, start: 'now', attendees: 'ada' },
    messages: [{ topic: 'Google Calendar', text: ':calendar: An event without a title:\n\n* Guests: ada' }],
  },
  { what: 'something else', body: { kind: 'calendar#acl' }, unsupported: 'calendar#acl' },
]

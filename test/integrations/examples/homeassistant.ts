import type { Example } from '../example.ts'

export const HOMEASSISTANT_EXAMPLES: readonly Example[] = [
  {
    what: 'a notification',
    body: { title: 'Front door', message: 'Open for *ten* minutes', topic: 'House' },
    messages: [{ topic: 'House', text: '**Front door**\n\nOpen for *ten* minutes' }],
  },
  {
    what: 'a notification without a title',
    body: { message: 'The washing is done' },
    messages: [{ topic: 'Home Assistant', text: 'The washing is done' }],
  },
  {
    what: 'a form',
    form: { message: 'Good night', title: 'House' },
    messages: [{ topic: 'Home Assistant', text: '**House**\n\nGood night' }],
  },
  {
    what: 'values of other types',
    body: { message: 21.5, title: [], topic: null },
    messages: [{ topic: 'Home Assistant', text: '21.5' }],
  },
  { what: 'nothing', body: { title: 'Front door' }, unsupported: 'message without content' },
]

import type { Example } from '../example.ts'

const alert = {
  result: { sourcetype: 'mongod', count: '8', _raw: 'error in *shard*', date_hour: '10' },
  sid: 'scheduler_admin_search_W2_at_14232356_132',
  results_link: 'https://splunk.example:8000/app/search/@go?sid=scheduler_admin_search_W2_at_14232356_132',
  search_name: 'Errors [shop]',
  owner: 'admin',
  app: 'search',
}

export const SPLUNK_EXAMPLES: readonly Example[] = [
  {
    what: 'an alert',
    body: alert,
    messages: [
      {
        topic: 'Errors [shop]',
        text: ':alert: Alert [Errors &#91;shop&#93;](https://splunk.example:8000/app/search/@go?sid=scheduler_admin_search_W2_at_14232356_132) was triggered (app search):\n\n* sourcetype: mongod\n* count: 8\n* raw: error in &#42;shard&#42;\n* date hour: 10',
      },
    ],
  },
  {
    what: 'an alert without a result',
    body: { ...alert, result: null, app: undefined },
    messages: [
      {
        topic: 'Errors [shop]',
        text: ':alert: Alert [Errors &#91;shop&#93;](https://splunk.example:8000/app/search/@go?sid=scheduler_admin_search_W2_at_14232356_132) was triggered.',
      },
    ],
  },
  {
    what: 'values of other types',
    body: { search_name: 7, result: ['a'], results_link: {} },
    messages: [{ topic: '7', text: ':alert: Alert 7 was triggered.' }],
  },
  { what: 'something else', body: { owner: 'admin' }, unsupported: 'message without content' },
]

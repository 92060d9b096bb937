import type { Example } from '../example.ts'

const check = (current_state: string, more: object = {}) => ({
  check_id: 12345,
  check_name: 'Shop',
  check_type: 'HTTP',
  check_params: {
    basic_auth: false,
    encryption: true,
    full_url: 'https://shop.example/path',
    header: 'User-Agent:Pingdom.com_bot',
    hostname: 'shop.example',
    ipv6: false,
    port: 443,
    url: '/path',
  },
  tags: ['shop'],
  previous_state: 'UP',
  current_state,
  importance_level: 'HIGH',
  state_changed_timestamp: 1793616000,
  state_changed_utc_time: '2026-11-02T10:40:00',
  long_description: 'Invalid *DNS* record',
  description: 'DNS error',
  custom_message: 'Call Ada',
  first_probe: { ip: '123.4.5.6', ipv6: '', location: 'Stockholm, Sweden' },
  second_probe: {},
  version: 1,
  ...more,
})

export const PINGDOM_EXAMPLES: readonly Example[] = [
  {
    what: 'a check that is down',
    body: check('DOWN'),
    messages: [
      {
        topic: 'Shop',
        text: ':alert: [Shop](https://shop.example/path) is down since <time:2026-11-02T10:40:00Z>:\n\n~~~ quote\nInvalid *DNS* record\n~~~\n\n* Check: HTTP\n* Host: shop.example\n* Importance: high\n* Note: Call Ada\n* Tags: shop',
      },
    ],
  },
  {
    what: 'a check that is up again',
    body: check('UP', { long_description: 'OK', custom_message: null }),
    messages: [
      {
        topic: 'Shop',
        text: ':checkbox: [Shop](https://shop.example/path) is up since <time:2026-11-02T10:40:00Z>:\n\n~~~ quote\nOK\n~~~\n\n* Check: HTTP\n* Host: shop.example\n* Importance: high\n* Tags: shop',
      },
    ],
  },
  {
    what: 'a transaction that fails',
    body: check('FAILING', { check_type: 'TRANSACTION', check_params: {} }),
    messages: [
      {
        topic: 'Shop',
        text: ':alert: Shop is failing since <time:2026-11-02T10:40:00Z>:\n\n~~~ quote\nInvalid *DNS* record\n~~~\n\n* Check: TRANSACTION\n* Importance: high\n* Note: Call Ada\n* Tags: shop',
      },
    ],
  },
  {
    what: 'values of other types',
    body: {
      current_state: 'DOWN',
      check_name: ['Shop'],
      check_params: 'none',
      tags: 'shop',
      state_changed_timestamp: 'soon',
    },
    messages: [{ topic: 'Pingdom', text: ':alert: A check is down since soon:\n\n* Tags: shop' }],
  },
  { what: 'another state', body: check('PAINTED'), unsupported: 'painted' },
]

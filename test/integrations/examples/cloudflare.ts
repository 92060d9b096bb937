import type { Example } from '../example.ts'

const alert = (alert_type: string, text: string, data: object | null, more: object = {}) => ({
  account_id: '9035f53656c74a8ab9f0d2b4e7c1a3d5',
  policy_id: '2f7c2b1a',
  policy_name: 'Pages of the shop',
  alert_correlation_id: '1b2c',
  ts: 1_793_616_000,
  name: 'Health checks',
  alert_type,
  text,
  data,
  ...more,
})

export const CLOUDFLARE_EXAMPLES: readonly Example[] = [
  {
    what: 'an alert that begins',
    body: alert(
      'health_check_status_notification',
      'Health check origin is unhealthy.',
      {
        health_check_id: 'a1',
        name: 'origin',
        status: 'Unhealthy',
        reason: 'TCP connection failed',
        time: '2026-11-02T10:40:00Z',
      },
      { alert_event: 'ALERT_STATE_EVENT_START' },
    ),
    messages: [
      {
        topic: 'Pages of the shop',
        text: ':alert: Alert Health checks has started:\n\n~~~ quote\nHealth check origin is unhealthy.\n~~~\n\n* name: origin\n* status: Unhealthy\n* reason: TCP connection failed\n* time: <time:2026-11-02T10:40:00Z>',
      },
    ],
  },
  {
    what: 'an alert that ends, with a link',
    body: alert(
      'dos_attack_l7',
      'An HTTP attack is over.',
      {
        target_hostname: 'shop.example',
        max_rate: '1.2 kreq/s',
        attack_tag: 'x',
        dashboard_link: 'https://dash.cloudflare.com/?to=/:account/shop.example/security',
        rules: [{ id: '1' }],
      },
      { alert_event: 'ALERT_STATE_EVENT_END', name: 'HTTP DDoS *attack*' },
    ),
    messages: [
      {
        topic: 'Pages of the shop',
        text: ':checkbox: Alert [HTTP DDoS &#42;attack&#42;](https://dash.cloudflare.com/?to=/:account/shop.example/security) has ended:\n\n~~~ quote\nAn HTTP attack is over.\n~~~\n\n* target hostname: shop.example\n* max rate: 1.2 kreq/s',
      },
    ],
  },
  {
    what: 'a kind that is new',
    body: alert('brand_new_alert', 'Something\n\nhas *happened*.', null, { name: null }),
    messages: [
      {
        topic: 'Pages of the shop',
        text: 'Alert Pages of the shop says:\n\n~~~ quote\nSomething\n\nhas *happened*.\n~~~',
      },
    ],
  },
  {
    what: 'a test',
    body: { text: 'Hello World! This is a test message sent from https://cloudflare.com.' },
    messages: [
      {
        topic: 'Cloudflare',
        text: 'Cloudflare says:\n\n~~~ quote\nHello World! This is a test message sent from https://cloudflare.com.\n~~~',
      },
    ],
  },
  { what: 'nothing', body: { text: '', data: { a: 1 } }, unsupported: 'unknown' },
]

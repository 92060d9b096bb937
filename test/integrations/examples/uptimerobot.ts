import type { Example } from '../example.ts'

const down = {
  monitor_url: 'https://shop.example/',
  monitor_friendly_name: 'Shop',
  alert_type_friendly_name: 'Down',
  alert_details: 'Connection timed out',
  alert_friendly_duration: null,
}

export const UPTIMEROBOT_EXAMPLES: readonly Example[] = [
  {
    what: 'a monitor that is down',
    body: down,
    messages: [
      {
        topic: 'Shop',
        text: ':alert: [Shop](https://shop.example/) is down:\n\n~~~ quote\nConnection timed out\n~~~',
      },
    ],
  },
  {
    what: 'a monitor that is up again, in the other spelling',
    body: {
      monitorURL: 'https://shop.example/',
      monitorFriendlyName: 'Shop *2*',
      alertTypeFriendlyName: 'Up',
      alertDetails: 'HTTP 200 - OK',
      alertFriendlyDuration: '12 minutes and 10 seconds',
    },
    messages: [
      {
        topic: 'Shop *2*',
        text: ':checkbox: [Shop &#42;2&#42;](https://shop.example/) is up again after 12 minutes and 10 seconds:\n\n~~~ quote\nHTTP 200 - OK\n~~~',
      },
    ],
  },
  {
    what: 'a certificate, as a form',
    form: { monitorFriendlyName: 'Shop', monitorURL: 'shop.example', alertType: '3' },
    messages: [{ topic: 'Shop', text: ':warning: The certificate of Shop expires soon.' }],
  },
  {
    what: 'a monitor without a name',
    body: { alert_type_friendly_name: 'DOWN' },
    messages: [{ topic: 'UptimeRobot', text: ':alert: A monitor is down.' }],
  },
  { what: 'another alert', body: { ...down, alert_type_friendly_name: 'Paused' }, unsupported: 'paused' },
]

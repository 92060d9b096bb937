import type { Example } from '../example.ts'

const service = (NOTIFICATIONTYPE: string, SERVICESTATE: string, more: object = {}) => ({
  NOTIFICATIONTYPE,
  HOSTNAME: 'web-1',
  HOSTADDRESS: '192.0.2.7',
  SERVICEDESC: 'HTTP',
  SERVICESTATE,
  SERVICEOUTPUT: 'HTTP CRITICAL - *No data* received from host',
  ...more,
})

export const NAGIOS_EXAMPLES: readonly Example[] = [
  {
    what: 'a problem of a service',
    body: service('PROBLEM', 'CRITICAL'),
    messages: [
      {
        topic: 'web-1',
        text: ':alert: **HTTP** on **web-1** is **CRITICAL**:\n\n~~~ quote\nHTTP CRITICAL - *No data* received from host\n~~~\n\n* Address: 192.0.2.7',
      },
    ],
  },
  {
    what: 'a recovery, as a form',
    form: service('RECOVERY', 'OK', { SERVICEOUTPUT: 'HTTP OK' }) as Record<string, string>,
    messages: [
      {
        topic: 'web-1',
        text: ':checkbox: **HTTP** on **web-1** is **OK**:\n\n~~~ quote\nHTTP OK\n~~~\n\n* Address: 192.0.2.7',
      },
    ],
  },
  {
    what: 'a host that is down',
    body: { NOTIFICATIONTYPE: 'PROBLEM', HOSTNAME: 'web-1', HOSTSTATE: 'DOWN', HOSTOUTPUT: 'PING CRITICAL' },
    messages: [{ topic: 'web-1', text: ':alert: **web-1** is **DOWN**:\n\n~~~ quote\nPING CRITICAL\n~~~' }],
  },
  {
    what: 'a problem that somebody has seen',
    body: service('ACKNOWLEDGEMENT', 'CRITICAL', {
      NOTIFICATIONAUTHOR: 'Ada',
      NOTIFICATIONCOMMENT: 'On it.',
    }),
    messages: [
      { topic: 'web-1', text: '**HTTP** on **web-1** was acknowledged by Ada:\n\n~~~ quote\nOn it.\n~~~' },
    ],
  },
  {
    what: 'a maintenance, by Icinga',
    body: { notification_type: 'DOWNTIMESTART', host_name: 'web-1', notification_author: 'Ada' },
    messages: [{ topic: 'web-1', text: '**web-1** is down for maintenance by Ada.' }],
  },
  {
    what: 'values of other types',
    body: { NOTIFICATIONTYPE: 'CUSTOM', HOSTNAME: {}, SERVICEDESC: [], SERVICESTATE: 2 },
    messages: [{ topic: 'Nagios', text: ':question: **a host** is **2**.' }],
  },
  { what: 'another notification', body: service('PAINTING', 'OK'), unsupported: 'painting' },
]

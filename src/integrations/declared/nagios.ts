import { declared, type Words } from './declaration.ts'

const HOST = '{{HOSTNAME | or: host_name'
const SERVICE = '{{SERVICEDESC | or: service_desc}}'
const STATE = '{{SERVICESTATE | or: HOSTSTATE | or: service_state | or: host_state'
const THING = `{{?**${SERVICE}** on ?}}**${HOST} | default: "a host"}}**`
const ALERT: Words = {
  says: `${STATE} | as: icon}} ${THING} is **${STATE} | default: "UNKNOWN"}}**`,
  quotes: '{{SERVICEOUTPUT | or: HOSTOUTPUT | or: service_output | or: host_output}}',
  facts: { Address: '{{HOSTADDRESS | or: host_address}}' },
}
const told = (done: string): Words => ({
  says: `${THING} ${done}{{? by {{NOTIFICATIONAUTHOR | or: notification_author}}?}}`,
  quotes: '{{NOTIFICATIONCOMMENT | or: notification_comment}}',
})

/** Notifications of Nagios, Icinga and Naemon, by a command of their owner. Source: docs/interface/webhooks.md#services. */
export const nagios = declared({
  name: 'nagios',
  displayName: 'Nagios',
  body: 'form',
  event: '{{NOTIFICATIONTYPE | or: notification_type | words | before: " ("}}',
  topic: `${HOST}}}`,
  events: {
    problem: ALERT,
    recovery: ALERT,
    custom: ALERT,
    acknowledgement: told('was acknowledged'),
    flappingstart: told('has begun to flap'),
    flappingstop: told('does not flap any more'),
    flappingdisabled: told('is not watched for flapping any more'),
    downtimestart: told('is down for maintenance'),
    downtimeend: told('has ended its maintenance'),
    downtimecancelled: told('has its maintenance cancelled'),
  },
  tables: {
    icon: {
      OK: ':checkbox:',
      UP: ':checkbox:',
      WARNING: ':warning:',
      CRITICAL: ':alert:',
      DOWN: ':alert:',
      UNREACHABLE: ':alert:',
      '*': ':question:',
    },
  },
})

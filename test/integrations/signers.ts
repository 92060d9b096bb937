import { createHmac } from 'node:crypto'

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/** A post of a service, and the secret that both sides have. `at`: UNIX seconds. */
interface Signed {
  readonly body: string
  readonly secret: string
  readonly at: number
}

/** How services sign, written as their documentation says it: the headers of a post. */
export const SIGNERS: Readonly<Record<string, (post: Signed) => Readonly<Record<string, string>>>> = {
  circleci: ({ body, secret }) => ({ 'circleci-signature': `v1=${hex(secret, body)}` }),
  grafana: ({ body, secret, at }) => ({
    'X-Grafana-Alerting-Timestamp': String(at),
    'X-Grafana-Alerting-Signature': hex(secret, `${at}:${body}`),
  }),
  pagerduty: ({ body, secret }) => ({
    'X-PagerDuty-Signature': `v1=${hex('an older secret', body)},v1=${hex(secret, body)}`,
  }),
  sentry: ({ body, secret, at }) => ({
    'Sentry-Hook-Signature': hex(secret, body),
    'Sentry-Hook-Timestamp': String(at),
  }),
  stripe: ({ body, secret, at }) => ({
    'Stripe-Signature': `t=${at},v1=${hex('an older secret', `${at}.${body}`)},v1=${hex(secret, `${at}.${body}`)},v0=x`,
  }),
}

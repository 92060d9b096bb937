import { createHash, createHmac } from 'node:crypto'

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/** Returns a JSON Web Signature with a key that both sides have. */
export function jws(head: object, claims: object, secret: string): string {
  const parts = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${parts}.${createHmac('sha256', secret).update(parts).digest('base64url')}`
}

/** A post of a service, and the secret that both sides have. `at`: UNIX seconds. */
interface Signed {
  readonly body: string
  readonly secret: string
  readonly at: number
}

/** How services sign, written as their documentation says it: the headers of a post. */
export const SIGNERS: Readonly<Record<string, (post: Signed) => Readonly<Record<string, string>>>> = {
  bitbucket2: ({ body, secret }) => ({ 'X-Hub-Signature': `sha256=${hex(secret, body)}` }),
  circleci: ({ body, secret }) => ({ 'circleci-signature': `v1=${hex(secret, body)}` }),
  cloudflare: ({ secret }) => ({ 'cf-webhook-auth': secret }),
  gitea: ({ body, secret }) => ({ 'X-Gitea-Signature': hex(secret, body) }),
  forgejo: ({ body, secret }) => ({ 'X-Forgejo-Signature': hex(secret, body) }),
  gogs: ({ body, secret }) => ({ 'X-Gogs-Signature': hex(secret, body) }),
  gitlab: ({ secret }) => ({ 'X-Gitlab-Token': secret }),
  github: ({ body, secret }) => ({ 'X-Hub-Signature-256': `sha256=${hex(secret, body)}` }),
  grafana: ({ body, secret, at }) => ({
    'X-Grafana-Alerting-Timestamp': String(at),
    'X-Grafana-Alerting-Signature': hex(secret, `${at}:${body}`),
  }),
  jira: ({ body, secret }) => ({ 'X-Hub-Signature': `sha256=${hex(secret, body)}` }),
  linear: ({ body, secret }) => ({ 'Linear-Signature': hex(secret, body) }),
  netlify: ({ body, secret }) => {
    const digest = createHash('sha256').update(body).digest('hex')
    return {
      'X-Webhook-Signature': jws({ alg: 'HS256', typ: 'JWT' }, { iss: 'netlify', sha256: digest }, secret),
    }
  },
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

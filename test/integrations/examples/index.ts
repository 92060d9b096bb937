import type { Example } from '../example.ts'
import { ALERTMANAGER_EXAMPLES } from './alertmanager.ts'
import { CIRCLECI_EXAMPLES } from './circleci.ts'
import { GITHUB_EXAMPLES } from './github.ts'
import { GRAFANA_EXAMPLES } from './grafana.ts'
import { JSON_EXAMPLES } from './json.ts'
import { PAGERDUTY_EXAMPLES } from './pagerduty.ts'
import { SENTRY_EXAMPLES } from './sentry.ts'
import { STRIPE_EXAMPLES } from './stripe.ts'
import { TEMPLATE_EXAMPLES } from './template.ts'

/** The examples of each integration, by its name. */
export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  alertmanager: ALERTMANAGER_EXAMPLES,
  circleci: CIRCLECI_EXAMPLES,
  github: GITHUB_EXAMPLES,
  grafana: GRAFANA_EXAMPLES,
  json: JSON_EXAMPLES,
  pagerduty: PAGERDUTY_EXAMPLES,
  sentry: SENTRY_EXAMPLES,
  stripe: STRIPE_EXAMPLES,
  template: TEMPLATE_EXAMPLES,
}

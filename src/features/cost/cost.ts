import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, json } from '../../api/parameter-types.ts'
import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { SHED_FROM } from '../../core/cost-cap.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { OWN_CAP, usedOfCap } from '../../model/cost/cost-cap.ts'
import { costNow } from '../../model/cost/cost-now.ts'
import { PLAN_DOLLARS, PRICES, PRICES_OF } from '../../model/cost/prices.ts'
import { deleteMeta, writeMeta } from '../../store/meta-rows.ts'
import { ALL_TIME, usageOf } from '../../store/usage/usage-rows.ts'

const dollars = (what: string) => described(v.number(), what)
const cap = (what: string) => described(v.nullable(v.number()), what)

/** Answers what the organization costs this month at list prices, by kind of use, with a forecast, and its caps. Parley's own. */
export const getCostEndpoint = defineEndpoint({
  operation: 'get-cost',
  route: 'GET /cost',
  access: 'owner',
  returns: v.object({
    month: described(v.string(), 'This month, in UTC: `2026-11`.'),
    dollars: dollars('What the use of this month costs, as if the plan included nothing.'),
    forecast_dollars: dollars(
      'The same at the end of the month, if each further day is like the last seven.',
    ),
    plan_dollars: dollars('The price of the plan, for the whole deployment.'),
    prices_of: described(v.string(), 'The day on which the prices were read: `2026-11-30`.'),
    cap_dollars: cap('The owners’ cap for a month; null: none.'),
    deployment_cap_dollars: cap('The cap that the deployment sets for this organization; null: none.'),
    common_cap_dollars: cap('The cap of all organizations of the deployment together; null: none.'),
    used_of_cap: described(v.number(), 'The part that is used up of the cap that is nearest; 0 without one.'),
    shed: described(
      v.array(v.string()),
      'What the organization goes without now: `presence`, `holds`, `previews`, `uploads`.',
    ),
    lines: described(
      v.array(
        v.object({
          kind: v.string(),
          used: v.number(),
          included: v.number(),
          dollars_per_million: v.number(),
          dollars: v.number(),
          forecast_dollars: v.number(),
        }),
      ),
      'The kinds of use, the dearest first. `included` is for the whole deployment.',
    ),
  }),
  query: (tx, { source }) => presentCost(tx, source),
})

function presentCost(tx: RealmReads, source: RequestSource) {
  const figures = usageOf(tx.sql, ALL_TIME)
  const bill = costNow(tx.sql, figures, tx.now)
  const { costCaps } = deploymentOf(source)
  const used = usedOfCap(tx, costCaps, figures, tx.now)
  return {
    month: bill.month,
    dollars: bill.dollars,
    forecast_dollars: bill.forecastDollars,
    plan_dollars: PLAN_DOLLARS,
    prices_of: PRICES_OF,
    cap_dollars: tx.recall(OWN_CAP).dollars ?? null,
    deployment_cap_dollars: costCaps.organization ?? null,
    common_cap_dollars: costCaps.deployment ?? null,
    used_of_cap: used,
    shed: Object.entries(SHED_FROM).flatMap(([step, from]) => (used >= from ? step : [])),
    lines: bill.lines.map(({ kind, used, dollars, forecastDollars }) => ({
      kind,
      used,
      included: PRICES[kind].included,
      dollars_per_million: PRICES[kind].perMillion,
      dollars,
      forecast_dollars: forecastDollars,
    })),
  }
}

const MAX_CAP = 1_000_000

/** Sets the owners' cap. Parley's own. */
export const updateCostCapEndpoint = defineEndpoint({
  operation: 'update-cost-cap',
  route: 'PATCH /cost',
  access: 'owner',
  params: {
    cap_dollars: described(
      json(v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(MAX_CAP)))),
      'Dollars a month, from 1 to 1,000,000; null: no cap.',
    ),
  },
  apply(tx, _caller, { cap_dollars }) {
    if (cap_dollars === null) deleteMeta(tx.sql, 'cost_cap')
    else writeMeta(tx.sql, 'cost_cap', cap_dollars)
    tx.recallToChange(OWN_CAP).dollars = cap_dollars ?? undefined
    // Owners are told again of a new cap.
    deleteMeta(tx.sql, 'cost_told')
  },
  audit: ({ params }) => ({ action: 'organization_changed', details: { cost_cap: params.cap_dollars } }),
})

import { call } from './call.ts'

export interface Cost {
  /** `2026-11`. */
  readonly month: string
  readonly dollars: number
  readonly forecast_dollars: number
  readonly plan_dollars: number
  /** `2026-11-30`. */
  readonly prices_of: string
  readonly cap_dollars: number | null
  readonly deployment_cap_dollars: number | null
  readonly common_cap_dollars: number | null
  readonly used_of_cap: number
  readonly lines: readonly {
    readonly kind: string
    readonly used: number
    readonly dollars: number
    readonly forecast_dollars: number
  }[]
}

export function loadCost(): Promise<Cost> {
  return call<Cost>('GET', '/cost')
}

/** @param dollars a month; null: no cap */
export async function setCostCap(dollars: number | null): Promise<void> {
  await call('PATCH', '/cost', { cap_dollars: dollars })
}

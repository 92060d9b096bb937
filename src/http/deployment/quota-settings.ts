import { type LoweredQuotas, QUOTAS, type Quota, type QuotaKind, type QuotaLimit } from '../../core/quotas.ts'
import { logSettingProblem } from '../../core/setting-problems.ts'

/**
 * Settings like `drafts/account=100 channels/organizationBytes=1000000`: quotas (core/quotas.ts) that are
 * lower here. None can be raised: they are what one object can hold.
 */
export interface QuotaEnvironment {
  readonly QUOTAS?: string
}

const ENTRY = /^(\w+)\/(\w+)=(\d{1,12})$/
const LIMITS: readonly string[] = [
  'account',
  'accountBytes',
  'organization',
  'organizationBytes',
] satisfies QuotaLimit[]

/** Reads the setting. An entry that is not understood leaves its quota as it is, and is logged. */
export function readQuotas(env: QuotaEnvironment): LoweredQuotas {
  const setting = env.QUOTAS?.trim() ?? ''
  const lowered: Partial<Record<QuotaKind, Partial<Record<QuotaLimit, number>>>> = {}
  for (const entry of setting === '' ? [] : setting.split(/\s+/)) {
    const [, kind = '', limit = '', number] = ENTRY.exec(entry) ?? []
    if (!isKind(kind) || !isLimit(limit)) {
      logSettingProblem('QUOTAS', entry, 'It has to be KIND/LIMIT=NUMBER, as in drafts/account=100.')
      continue
    }
    const quota: Quota = QUOTAS[kind]
    const ordinary = quota[limit]
    if (ordinary === undefined || Number(number) > ordinary) {
      logSettingProblem('QUOTAS', entry, `It can only be lowered: ${ordinary ?? 'there is none'}.`)
      continue
    }
    lowered[kind] = { ...lowered[kind], [limit]: Number(number) }
  }
  return lowered
}

function isKind(name: string): name is QuotaKind {
  return Object.hasOwn(QUOTAS, name)
}

function isLimit(name: string): name is QuotaLimit {
  return LIMITS.includes(name)
}
